package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.simulated.ClusterState.NamespacedOwner;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The controllers that recreate pods. They act at the next step after they noticed a loss. Confined
 * to the cluster's lock.
 */
final class OwnerControllers {
  private static final int RADIX = 36;
  private static final long FIRST_SUFFIX = 1_679_616 * 10L;

  private final ClusterState state;
  private final List<PodSpec> missing = new ArrayList<>();
  private final Set<NamespacedOwner> deleted = new HashSet<>();
  private final Map<String, List<PodSpec>> asleep = new HashMap<>();
  private long suffixes;

  OwnerControllers(ClusterState state) {
    this.state = state;
  }

  void podTerminates(PodSpec pod) {
    noticed(pod, EnumSet.complementOf(EnumSet.of(OwnerSpec.OwnerType.STATEFUL_SET)));
  }

  void podIsGone(PodSpec pod) {
    noticed(pod, EnumSet.of(OwnerSpec.OwnerType.STATEFUL_SET));
  }

  void delete(String namespace, OwnerSpec owner) {
    deleted.add(new NamespacedOwner(namespace, owner));
    missing.removeIf(pod -> pod.namespace().equals(namespace) && owns(owner, pod));
  }

  /** An owner of the same name may have been deleted before. */
  void create(String namespace, OwnerSpec owner) {
    deleted.remove(new NamespacedOwner(namespace, owner));
  }

  /** Whether the pod goes when the owner does: it or what is above it is that owner. */
  private static boolean owns(OwnerSpec owner, PodSpec pod) {
    return chain(pod).anyMatch(owner::equals);
  }

  static Stream<OwnerSpec> chain(PodSpec pod) {
    return Stream.iterate(pod.owner(), Optional::isPresent, each -> each.flatMap(OwnerSpec::above))
        .map(Optional::orElseThrow);
  }

  /** An owner was stopped: it keeps in mind which pods it has to run later. */
  void stopped(String uid, OwnerSpec owner, List<PodSpec> pods) {
    Set<PodSpec> all = new LinkedHashSet<>(pods);
    missing.stream().filter(pod -> owns(owner, pod)).forEach(all::add);
    asleep.computeIfAbsent(uid, _ -> new ArrayList<>()).addAll(all);
    missing.removeAll(all);
  }

  /** How many pods of an owner come at the next step. */
  int missingOf(OwnerSpec owner) {
    return Math.toIntExact(missing.stream().filter(pod -> owns(owner, pod)).count());
  }

  /** An owner has fewer replicas: it keeps in mind which pods it has to run later. */
  void scaledDown(String uid, List<PodSpec> pods) {
    asleep.computeIfAbsent(uid, _ -> new ArrayList<>()).addAll(pods);
  }

  /**
   * An owner runs again, or has more replicas: its pods come back at the next step.
   *
   * @param most how many at most
   */
  void resumed(String uid, int most) {
    List<PodSpec> pods = asleep.getOrDefault(uid, new ArrayList<>());
    List<PodSpec> back = pods.subList(0, Math.max(0, Math.min(most, pods.size())));
    back.forEach(pod -> missing.add(successor(pod, pod.owner().orElseThrow())));
    back.clear();
  }

  /** Whether an owner above the pod was stopped. */
  private boolean isStopped(PodSpec pod) {
    return chain(pod)
        .flatMap(each -> state.ownerObjects().find(pod.namespace(), each).stream())
        .anyMatch(owner -> !owner.runs());
  }

  /** A pod whose name is still taken comes later. */
  void step() {
    List<PodSpec> now =
        missing.stream()
            .distinct()
            .filter(pod -> state.pod(pod.namespace(), pod.name()).isEmpty())
            .toList();
    missing.removeAll(now);
    now.forEach(state::create);
  }

  private void noticed(PodSpec pod, Set<OwnerSpec.OwnerType> kinds) {
    boolean ended =
        chain(pod).anyMatch(each -> deleted.contains(new NamespacedOwner(pod.namespace(), each)));
    pod.owner()
        .filter(owner -> kinds.contains(owner.kind()) && !ended && !isStopped(pod))
        .filter(_ -> asleep.values().stream().noneMatch(pods -> pods.contains(pod)))
        .ifPresent(owner -> missing.add(successor(pod, owner)));
  }

  private PodSpec successor(PodSpec pod, OwnerSpec owner) {
    return owner.kind() == OwnerSpec.OwnerType.STATEFUL_SET
        ? pod
        : pod.named(owner.name() + "-" + Long.toString(FIRST_SUFFIX + suffixes++, RADIX));
  }
}
