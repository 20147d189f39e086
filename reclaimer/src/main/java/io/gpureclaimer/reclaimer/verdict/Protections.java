package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.Optional;
import java.util.function.Function;

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
    return ForeignOptOut.of("pod " + pod.ref(), pod.annotations())
        .or(
            () ->
                workload.ownersOf(pod).stream()
                    .flatMap(
                        owner ->
                            ForeignOptOut.of(Policies.name(owner), owner.annotations()).stream())
                    .findFirst());
  }

  private static Optional<Protection> switchedOff(EffectivePolicy policy) {
    return policy.mode().value() == Mode.OFF
        ? Optional.of(new Protection.SwitchedOff(policy.mode().origin()))
        : Optional.empty();
  }
}
