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
  Evidence since(PodView pod, Optional<Beginning> sign, Evidence evidence) {
    return evidence instanceof Evidence.Idle idle
        ? Stream.of(start(pod), heartbeat(), sign)
            .flatMap(Optional::stream)
            .max(Comparator.comparing(Beginning::at))
            .filter(beginning -> idle.idleSince().isBefore(beginning.at()))
            .map(beginning -> later(beginning, idle))
            .orElse(evidence)
        : evidence;
  }

  private Optional<Beginning> start(PodView pod) {
    return started(pod)
        .map(at -> new Beginning(at, "it started or became ready, and the grace after that"));
  }

  private Optional<Beginning> heartbeat() {
    return policy
        .lastActivity()
        .map(
            last ->
                new Beginning(
                    last.value(), VerdictSentence.of(last.origin()) + " said that it worked"));
  }

  private static Evidence later(Beginning beginning, Evidence.Idle idle) {
    Duration shorter = idle.idleFor().minus(Duration.between(idle.idleSince(), beginning.at()));
    return new Evidence.Idle(
        beginning.at(),
        shorter.isNegative() ? Duration.ZERO : shorter,
        Optional.of(beginning.what()));
  }
}
