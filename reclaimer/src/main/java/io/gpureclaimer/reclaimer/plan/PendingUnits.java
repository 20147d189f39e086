package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.plan.Demand.SchedulerMessage;
import io.gpureclaimer.reclaimer.plan.PendingStatus.PendingOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All pending pods that request GPUs.
 *
 * @param servable units that would run if there were free GPUs: highest priority first, then the
 *     oldest
 * @param others what freed GPUs would not help, or not yet
 */
record PendingUnits(List<PendingUnit> servable, List<PendingStatus> others) {
  private static final String KAI_DELAY = "kai.scheduler/preemption-delay";
  private static final Comparator<PendingUnit> ORDER =
      Comparator.comparingInt(PendingUnit::priority)
          .reversed()
          .thenComparing(PendingUnit::since)
          .thenComparing(PendingUnit::id);

  PendingUnits {
    servable = List.copyOf(servable);
    others = List.copyOf(others);
  }

  /**
   * Sorts them. A group is not servable while one of its pending pods lacks something else, or is
   * younger than the grace, or than the delay that KAI is told by an annotation.
   */
  static PendingUnits in(ClusterView cluster, Duration grace, Instant now) {
    Collection<List<PodView>> units =
        cluster.pods().stream()
            .filter(pod -> pod.awaitsGpus() && !pod.terminating())
            .collect(Collectors.groupingBy(Demand::unitOf))
            .values();
    List<PendingUnit> servable = new ArrayList<>();
    List<PendingStatus> others = new ArrayList<>();
    for (List<PodView> pods : units) {
      Optional<String> lacks = needsMore(pods);
      if (lacks.isPresent()) {
        others.add(status(pods, PendingOutcome.NEEDS_MORE, lacks.get()));
        continue;
      }
      List<Demand> members = pods.stream().flatMap(pod -> Demand.of(pod).stream()).toList();
      Duration wanted = grace(pods, grace);
      Duration youngest =
          members.stream()
              .map(each -> Duration.between(each.since(), now))
              .min(Comparator.naturalOrder())
              .orElseThrow();
      if (youngest.compareTo(wanted) < 0) {
        String sentence =
            "pods are served once they have been pending for " + Durations.format(wanted);
        others.add(status(pods, PendingOutcome.IN_GRACE, sentence));
      } else {
        servable.add(new PendingUnit(Demand.unitOf(pods.getFirst()), members));
      }
    }
    servable.sort(ORDER);
    others.sort(Comparator.comparing(PendingStatus::unit));
    return new PendingUnits(servable, others);
  }

  /** KAI preempts for none of them sooner either, so that an autoscaler comes first. */
  private static Duration grace(List<PodView> pods, Duration grace) {
    return Stream.concat(
            Stream.of(grace),
            pods.stream()
                .flatMap(pod -> Optional.ofNullable(pod.annotations().get(KAI_DELAY)).stream())
                .flatMap(delay -> Durations.parseGo(delay).stream()))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static Optional<String> needsMore(List<PodView> pods) {
    for (PodView pod : pods) {
      Optional<String> objection = Demand.objection(pod);
      if (objection.isPresent()) {
        return pods.size() == 1
            ? objection
            : objection.map(why -> "pod " + pod.ref().name() + " of the group: " + why);
      }
    }
    return pods.stream()
            .flatMap(pod -> pod.waiting().stream())
            .map(Waiting::message)
            .anyMatch(SchedulerMessage::onlyGpusAreMissing)
        ? Optional.empty()
        : Optional.of("the scheduler does not say of any pod of the group that it lacks GPUs");
  }

  private static PendingStatus status(List<PodView> pods, PendingOutcome outcome, String sentence) {
    return new PendingStatus(
        Demand.unitOf(pods.getFirst()),
        pods.stream().map(PodView::ref).toList(),
        pods.getFirst().traits().group(),
        pods.stream().mapToInt(PodView::gpus).sum(),
        pods.stream()
            .flatMap(pod -> pod.waiting().stream())
            .map(Waiting::since)
            .min(Comparator.naturalOrder()),
        outcome,
        Optional.empty(),
        0,
        sentence);
  }
}
