package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A pending pod that needs GPUs and nothing else.
 *
 * @param pod which one
 * @param gpus how many it needs, all on one node
 * @param priority its priority
 * @param since when the scheduler first found no node for it
 * @param placement where it may run
 */
public record Demand(PodRef pod, int gpus, int priority, Instant since, Placement placement) {
  private static final Comparator<Demand> ORDER =
      Comparator.comparingInt(Demand::priority)
          .reversed()
          .thenComparing(Demand::since)
          .thenComparing(demand -> demand.pod().uid());

  /** All pods that would run if there were free GPUs: highest priority first, then the oldest. */
  static List<Demand> in(ClusterView cluster, Duration pendingGrace, Instant now) {
    return cluster.pods().stream()
        .flatMap(pod -> of(pod).stream())
        .filter(demand -> Duration.between(demand.since(), now).compareTo(pendingGrace) >= 0)
        .sorted(ORDER)
        .toList();
  }

  private static Optional<Demand> of(PodView pod) {
    boolean couldRun =
        pod.phase() == PodPhase.PENDING
            && pod.node().isEmpty()
            && !pod.terminating()
            && pod.gpus() > 0
            && pod.accelerators().isCounted()
            && !pod.placement().constrainedFurther();
    return pod.waiting()
        .filter(_ -> couldRun)
        .filter(waiting -> SchedulerMessage.onlyGpusAreMissing(waiting.message()))
        .map(waiting -> of(pod, waiting));
  }

  private static Demand of(PodView pod, Waiting waiting) {
    return new Demand(pod.ref(), pod.gpus(), pod.priority(), waiting.since(), pod.placement());
  }
}
