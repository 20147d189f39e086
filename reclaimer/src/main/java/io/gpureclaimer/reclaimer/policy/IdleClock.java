package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.activity.Evidence;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * When the idle time of a pod can begin at the earliest. A container that starts, or starts again,
 * loads and compiles, which a GPU does not show.
 *
 * @param policy what holds for the pod's workload
 */
record IdleClock(EffectivePolicy policy) {

  /** When the pod has started, grace included; absent where it is not known when it did. */
  Optional<Instant> started(PodView pod) {
    return Stream.of(pod.startedAt(), pod.readyAt())
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder())
        .map(start -> start.plus(policy.startupGrace().value()));
  }

  /**
   * The evidence, with an idle time that begins no earlier than the pod can have been idle.
   *
   * @param sign when something else than its GPUs last said that it works
   */
  Evidence since(PodView pod, Optional<Instant> sign, Evidence evidence) {
    Optional<Instant> earliest =
        Stream.of(started(pod), policy.lastActivity().map(Setting::value), sign)
            .flatMap(Optional::stream)
            .max(Comparator.naturalOrder());
    return evidence instanceof Evidence.Idle(Instant since, Duration length)
            && earliest.filter(since::isBefore).isPresent()
        ? later(earliest.get(), since, length)
        : evidence;
  }

  private static Evidence later(Instant start, Instant since, Duration length) {
    Duration shorter = length.minus(Duration.between(since, start));
    return new Evidence.Idle(start, shorter.isNegative() ? Duration.ZERO : shorter);
  }
}
