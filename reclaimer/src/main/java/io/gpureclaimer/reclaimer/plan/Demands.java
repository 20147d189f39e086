package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds who waits for GPUs and would run if there were some. */
final class Demands {

  private static final Comparator<Demand> ORDER =
      Comparator.comparingInt(Demand::priority)
          .reversed()
          .thenComparing(Demand::since)
          .thenComparing(demand -> demand.pod().uid());

  private Demands() {}

  /** Highest priority first, then who has waited longest. */
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
        .map(waiting -> demand(pod, waiting));
  }

  private static Demand demand(PodView pod, Waiting waiting) {
    return new Demand(pod.ref(), pod.gpus(), pod.priority(), waiting.since(), pod.placement());
  }
}
