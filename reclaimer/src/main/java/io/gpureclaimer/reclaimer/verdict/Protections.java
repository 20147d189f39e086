package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Finds why a workload must be left alone. What protects one of its pods protects all of it. */
final class Protections {

  private Protections() {}

  /** The first reason; those that no annotation can lift come first. */
  static Optional<Protection> of(Workload workload, EffectivePolicy policy, SharedGpus shared) {
    return ofAnyPod(workload, Protections::untouchable)
        .or(() -> ofAnyPod(workload, Protections::terminating))
        .or(() -> ofAnyPod(workload, Protections::otherAccelerators))
        .or(() -> ofAnyPod(workload, pod -> sharedGpu(pod, shared)))
        .or(() -> excluded(policy))
        .or(() -> ofAnyPod(workload, pod -> optedOutElsewhere(workload, pod)))
        .or(() -> switchedOff(policy));
  }

  private static Optional<Protection> ofAnyPod(
      Workload workload, Function<PodView, Optional<Protection>> rule) {
    for (PodView pod : workload.pods()) {
      Optional<Protection> protection = rule.apply(pod);
      if (protection.isPresent()) {
        return protection;
      }
    }
    return Optional.empty();
  }

  private static Optional<Protection> untouchable(PodView pod) {
    return pod.untouchable().map(why -> new Protection.Untouchable(pod.ref(), why));
  }

  private static Optional<Protection> terminating(PodView pod) {
    return pod.terminating()
        ? Optional.of(new Protection.Terminating(pod.ref()))
        : Optional.empty();
  }

  private static Optional<Protection> otherAccelerators(PodView pod) {
    return pod.otherAccelerators()
        ? Optional.of(new Protection.OtherAccelerators(pod.ref()))
        : Optional.empty();
  }

  private static Optional<Protection> sharedGpu(PodView pod, SharedGpus shared) {
    return shared.sharedGpuOf(pod).map(gpu -> new Protection.SharedGpu(pod.ref(), gpu));
  }

  private static Optional<Protection> excluded(EffectivePolicy policy) {
    return policy.excludedBy().map(Protection.Excluded::new);
  }

  private static Optional<Protection> optedOutElsewhere(Workload workload, PodView pod) {
    Optional<Protection> ofPod = ForeignOptOut.of(() -> "pod " + pod.ref(), pod.annotations());
    if (ofPod.isPresent()) {
      return ofPod;
    }
    for (OwnerView owner : workload.ownersOf(pod)) {
      Optional<Protection> ofOwner =
          ForeignOptOut.of(() -> Policies.name(owner), owner.annotations());
      if (ofOwner.isPresent()) {
        return ofOwner;
      }
    }
    return Optional.empty();
  }

  private static Optional<Protection> switchedOff(EffectivePolicy policy) {
    return policy.mode().value() == Mode.OFF
        ? Optional.of(new Protection.SwitchedOff(policy.mode().origin()))
        : Optional.empty();
  }

  /**
   * Annotation of another tool that forbids eviction. It is read, never written, on the pod and on
   * its owners.
   *
   * @param key the annotation
   * @param optsOut whether a value of it means that
   */
  record ForeignOptOut(String key, Predicate<String> optsOut) {
    private static final List<ForeignOptOut> ALL =
        List.of(
            new ForeignOptOut("cluster-autoscaler.kubernetes.io/safe-to-evict", "false"::equals),
            new ForeignOptOut("karpenter.sh/do-not-disrupt", value -> !value.equals("false")),
            new ForeignOptOut("karpenter.sh/do-not-evict", value -> !value.equals("false")),
            new ForeignOptOut("descheduler.alpha.kubernetes.io/prefer-no-eviction", _ -> true));

    /** The first one that the object carries. */
    static Optional<Protection> of(Supplier<String> object, Map<String, String> annotations) {
      if (annotations.isEmpty()) {
        return Optional.empty();
      }
      for (ForeignOptOut optOut : ALL) {
        Optional<Protection> found = optOut.in(object, annotations);
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    }

    /** Whether the annotation is one of them. */
    static boolean reads(String annotation) {
      return ALL.stream().anyMatch(optOut -> optOut.key().equals(annotation));
    }

    private Optional<Protection> in(Supplier<String> object, Map<String, String> annotations) {
      return Optional.ofNullable(annotations.get(key))
          .filter(optsOut)
          .map(value -> new Protection.OptedOutElsewhere(object.get(), key, value));
    }
  }

  /**
   * GPUs and MIG instances that several pods hold at the same time in one observation. All pods
   * with a replica of a device count as one holder of it.
   */
  static final class SharedGpus {
    private final Map<String, PodActivity> pods;
    private final Set<String> sharing;
    private final Set<Entity> replicated = new HashSet<>();

    /** With at least one holder. */
    private final Set<Entity> held;

    /** With several. */
    private final Set<Entity> heldTwice = new HashSet<>();

    private final Set<GpuUuid> divided = new HashSet<>();

    private SharedGpus(Map<String, PodActivity> pods, Set<String> sharing) {
      this.pods = pods;
      this.sharing = sharing;
      this.held = HashSet.newHashSet(2 * pods.size());
      pods.values().forEach(pod -> pod.entities().forEach(device -> count(pod, device)));
    }

    /**
     * Those of an observation.
     *
     * @param known what the pods request
     */
    static SharedGpus in(Observation observation, Collection<PodView> known) {
      return switch (observation) {
        case Blind _ -> new SharedGpus(Map.of(), Set.of());
        case Seen seen -> new SharedGpus(seen.pods(), PodView.sharing(known));
      };
    }

    /** The first GPU of the pod of which another holder has the same, the whole or a part. */
    Optional<GpuUuid> sharedGpuOf(PodView pod) {
      PodActivity activity = pods.get(pod.ref().uid());
      if (activity == null || (heldTwice.isEmpty() && divided.isEmpty())) {
        return Optional.empty();
      }
      for (Entity device : activity.entities()) {
        if (isShared(device)) {
          return Optional.of(device.gpu());
        }
      }
      return Optional.empty();
    }

    private void count(PodActivity pod, Entity device) {
      if (sharing.contains(pod.uid()) && !replicated.add(device)) {
        return;
      }
      if (!held.add(device)) {
        heldTwice.add(device);
      }
      if (device.instanceId().isPresent()) {
        divided.add(device.gpu());
      }
    }

    private boolean isShared(Entity device) {
      return heldTwice.contains(device)
          || (device.instanceId().isPresent()
              ? held.contains(Entity.whole(device.gpu()))
              : divided.contains(device.gpu()));
    }
  }
}
