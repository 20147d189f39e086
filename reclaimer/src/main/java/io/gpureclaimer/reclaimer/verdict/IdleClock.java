package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
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

  /**
   * Something after which a pod can be idle at the earliest.
   *
   * @param at when it was
   * @param what for people, what it was: {@code cpu said work}
   */
  record IdleStart(Instant at, String what) {}

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
   * @param sign when something that was measured last said that it works
   */
  Evidence since(PodView pod, Optional<IdleStart> sign, Evidence evidence) {
    return evidence instanceof Evidence.Idle idle
        ? Stream.of(start(pod), heartbeat(), sign)
            .flatMap(Optional::stream)
            .max(Comparator.comparing(IdleStart::at))
            .filter(start -> idle.idleSince().isBefore(start.at()))
            .map(start -> later(start, idle))
            .orElse(evidence)
        : evidence;
  }

  private Optional<IdleStart> start(PodView pod) {
    return started(pod)
        .map(at -> new IdleStart(at, "it started or became ready, and the grace after that"));
  }

  private Optional<IdleStart> heartbeat() {
    return policy
        .lastActivity()
        .map(
            last ->
                new IdleStart(
                    last.value(), VerdictSentence.of(last.origin()) + " said that it worked"));
  }

  private static Evidence later(IdleStart start, Evidence.Idle idle) {
    Duration shorter = idle.idleFor().minus(Duration.between(idle.idleSince(), start.at()));
    return new Evidence.Idle(
        start.at(), shorter.isNegative() ? Duration.ZERO : shorter, Optional.of(start.what()));
  }
}
