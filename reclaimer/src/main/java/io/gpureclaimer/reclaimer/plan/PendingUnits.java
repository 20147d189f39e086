package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize.Minimum;
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
   * younger than the grace, or than the delay that an annotation sets for KAI. Where the minimum of
   * a group is known, as many pods as it still needs are one unit; pods above it are units of their
   * own once the minimum runs.
   */
  static PendingUnits in(ClusterView cluster, Duration grace, Instant now) {
    var sorting = new Sorting(cluster, grace, now);
    cluster.pods().stream()
        .filter(pod -> pod.awaitsGpus() && !pod.terminating())
        .collect(Collectors.groupingBy(Demand::unitOf))
        .values()
        .forEach(sorting::sort);
    sorting.servable.sort(ORDER);
    sorting.others.sort(Comparator.comparing(PendingStatus::unit));
    return new PendingUnits(sorting.servable, sorting.others);
  }

  /** Confined to one planning. */
  private static final class Sorting {
    /** As many as are needed of a group: those that cost least, of those that would run. */
    private static final Comparator<PodView> CHEAPEST_FIRST =
        Comparator.<PodView, Boolean>comparing(pod -> Demand.objection(pod).isPresent())
            .thenComparing(Comparator.comparingInt(PodView::priority).reversed())
            .thenComparingInt(PodView::gpus)
            .thenComparing(pod -> pod.ref().uid());

    private final ClusterView cluster;
    private final Duration grace;
    private final Instant now;
    private final List<PendingUnit> servable = new ArrayList<>();
    private final List<PendingStatus> others = new ArrayList<>();

    private Sorting(ClusterView cluster, Duration grace, Instant now) {
      this.cluster = cluster;
      this.grace = grace;
      this.now = now;
    }

    /** Pods of one group, or a single pod. */
    private void sort(List<PodView> pods) {
      Optional<GroupSize> size = cluster.scheduling().sizeOfGroup(pods.getFirst());
      switch (size.map(GroupSize::minimum).orElseGet(Minimum.None::new)) {
        case Minimum.None() -> sortUnit(pods);
        case Minimum.Unread(var why) -> others.add(status(pods, PendingOutcome.NEEDS_MORE, why));
        case Minimum.Known(var minimum) -> sort(pods, size.orElseThrow(), minimum);
      }
    }

    private void sort(List<PodView> pods, GroupSize size, int minimum) {
      if (size.members() < minimum) {
        others.add(
            status(
                pods,
                PendingOutcome.NEEDS_MORE,
                "its group has "
                    + size.members()
                    + " of the "
                    + minimum
                    + " pods without which it does not run"));
        return;
      }
      if (size.placed() >= minimum) {
        pods.forEach(this::sortAlone);
        return;
      }
      int missing = Math.max(1, minimum - size.placed() - size.pendingWithoutGpus());
      List<PodView> ordered = pods.stream().sorted(CHEAPEST_FIRST).toList();
      sortUnit(ordered.subList(0, Math.min(missing, ordered.size())));
      if (missing < ordered.size()) {
        others.add(
            status(
                ordered.subList(missing, ordered.size()),
                PendingOutcome.NEEDS_MORE,
                "its group runs with " + minimum + " pods, and GPUs are freed for those first"));
      }
    }

    private void sortAlone(PodView pod) {
      needsMore(List.of(pod))
          .ifPresentOrElse(
              why -> others.add(status(List.of(pod), PendingOutcome.NEEDS_MORE, why)),
              () -> add(pod.ref().uid(), List.of(pod), demands(List.of(pod)).map(Demand::alone)));
    }

    private void sortUnit(List<PodView> pods) {
      needsMore(pods)
          .ifPresentOrElse(
              why -> others.add(status(pods, PendingOutcome.NEEDS_MORE, why)),
              () -> add(Demand.unitOf(pods.getFirst()), pods, demands(pods)));
    }

    private void add(String id, List<PodView> pods, Stream<Demand> demands) {
      var unit = new PendingUnit(id, demands.toList());
      Duration wanted = grace(pods);
      boolean isYoung =
          unit.members().stream().anyMatch(each -> now.isBefore(each.since().plus(wanted)));
      if (isYoung) {
        String sentence =
            "pods are served once they have been pending for " + Durations.format(wanted);
        others.add(unit.status(PendingOutcome.IN_GRACE, 0, sentence));
      } else {
        servable.add(unit);
      }
    }

    /** KAI preempts for none of them sooner either, so that an autoscaler comes first. */
    private Duration grace(List<PodView> pods) {
      return Stream.concat(
              Stream.of(grace),
              pods.stream()
                  .flatMap(pod -> Optional.ofNullable(pod.annotations().get(KAI_DELAY)).stream())
                  .flatMap(delay -> Durations.parseGo(delay).stream()))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private static Stream<Demand> demands(List<PodView> pods) {
    return pods.stream().flatMap(pod -> Demand.of(pod).stream());
  }

  private static Optional<String> needsMore(Collection<PodView> pods) {
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
        pods.getFirst().traits().schedulingGroup(),
        pods.stream().mapToInt(PodView::gpus).sum(),
        pods.stream()
            .flatMap(pod -> pod.waiting().stream())
            .map(Waiting::since)
            .min(Comparator.naturalOrder()),
        outcome,
        Optional.empty(),
        0,
        Optional.empty(),
        sentence);
  }
}
