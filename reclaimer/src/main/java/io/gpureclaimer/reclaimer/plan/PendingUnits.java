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
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All pending pods that request devices.
 *
 * @param servable units that would run if there were free devices: highest priority first, then the
 *     oldest
 * @param others what freed GPUs would not help, or not yet
 * @param alone the servable ones of no group by the pod, which stay the same while the pod does
 */
record PendingUnits(
    List<PendingUnit> servable,
    List<PendingStatus> others,
    IdentityHashMap<PodView, PendingUnit> alone) {
  /** No pod is pending. */
  static final PendingUnits NONE = new PendingUnits(List.of(), List.of(), new IdentityHashMap<>());

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
   * younger than the grace, or than the delay that is set for KAI. Where the minimum of a group is
   * known, as many pods as it still needs are one unit; pods above it are units of their own once
   * the minimum runs.
   *
   * @param before those of an earlier time, with the same grace
   */
  static PendingUnits in(ClusterView cluster, Duration grace, Instant now, PendingUnits before) {
    var sorting = new UnitSorting(cluster, grace, now);
    Map<String, List<PodView>> units = new HashMap<>();
    for (PodView pod : cluster.pods()) {
      if (pod.awaitsGpus() && !pod.terminating()) {
        PendingUnit known = before.alone().get(pod);
        if (known == null) {
          units.computeIfAbsent(Demand.unitOf(pod), _ -> new ArrayList<>(1)).add(pod);
        } else {
          sorting.servable.add(known);
          sorting.alone.put(pod, known);
        }
      }
    }
    units.values().forEach(sorting::sort);
    sorting.servable.sort(ORDER);
    sorting.others.sort(Comparator.comparing(PendingStatus::unit));
    return new PendingUnits(sorting.servable, sorting.others, sorting.alone);
  }

  /** Confined to one planning. */
  private static final class UnitSorting {
    /** As many as are needed of a group: those that cost least, of those that would run. */
    private final Comparator<PodView> cheapestFirst =
        Comparator.<PodView, Boolean>comparing(pod -> objection(pod).isPresent())
            .thenComparing(Comparator.comparingInt(PodView::priority).reversed())
            .thenComparingInt(pod -> pod.accelerators().devices())
            .thenComparing(pod -> pod.ref().uid());

    private final ClusterView cluster;
    private final Duration grace;
    private final Instant now;
    private final List<PendingUnit> servable = new ArrayList<>();
    private final List<PendingStatus> others = new ArrayList<>();

    /** By identity: pods are large, and the same one is the same object. */
    private final IdentityHashMap<PodView, PendingUnit> alone = new IdentityHashMap<>();

    /** What the scheduler's words say: many pods have the same. */
    private final Map<String, Optional<Set<String>>> readings = new HashMap<>();

    private UnitSorting(ClusterView cluster, Duration grace, Instant now) {
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
        case Minimum.Known(var minimum, _) -> sort(pods, size.orElseThrow(), minimum);
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
      List<PodView> ordered = pods.stream().sorted(cheapestFirst).toList();
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
              () ->
                  add(
                      pod.ref().uid(),
                      List.of(pod),
                      demands(List.of(pod)).stream().map(Demand::alone).toList()));
    }

    private void sortUnit(List<PodView> pods) {
      needsMore(pods)
          .ifPresentOrElse(
              why -> others.add(status(pods, PendingOutcome.NEEDS_MORE, why)),
              () -> add(Demand.unitOf(pods.getFirst()), pods, demands(pods)));
    }

    private void add(String id, List<PodView> pods, List<Demand> demands) {
      var unit = new PendingUnit(id, demands);
      Duration wanted = grace(pods);
      if (isYoung(unit, wanted)) {
        String sentence =
            "pods are served once they have been pending for " + Durations.format(wanted);
        others.add(unit.status(PendingOutcome.IN_GRACE, 0, sentence));
      } else {
        servable.add(unit);
        PodView first = pods.getFirst();
        if (first.traits().schedulingGroup().isEmpty()) {
          alone.put(first, unit);
        }
      }
    }

    private boolean isYoung(PendingUnit unit, Duration wanted) {
      for (Demand member : unit.members()) {
        if (now.isBefore(member.since().plus(wanted))) {
          return true;
        }
      }
      return false;
    }

    /** KAI preempts for none of them sooner either, so that an autoscaler comes first. */
    private Duration grace(List<PodView> pods) {
      Duration longest =
          cluster
              .scheduling()
              .sizeOfGroup(pods.getFirst())
              .map(size -> size.minimum().delay())
              .filter(delay -> delay.compareTo(grace) > 0)
              .orElse(grace);
      for (PodView pod : pods) {
        Duration delay =
            Optional.ofNullable(pod.annotations().get(KAI_DELAY))
                .flatMap(Durations::parseGo)
                .orElse(grace);
        longest = delay.compareTo(longest) > 0 ? delay : longest;
      }
      return longest;
    }

    private Optional<Set<String>> read(String message) {
      return readings.computeIfAbsent(message, SchedulerMessage::scarceResources);
    }

    private Optional<String> objection(PodView pod) {
      return Demand.objection(pod, this::read);
    }

    private List<Demand> demands(List<PodView> pods) {
      List<Demand> demands = new ArrayList<>(pods.size());
      for (PodView pod : pods) {
        Demand.of(pod, this::read).ifPresent(demands::add);
      }
      return demands;
    }

    private Optional<String> needsMore(Collection<PodView> pods) {
      for (PodView pod : pods) {
        Optional<String> objection = objection(pod);
        if (objection.isPresent()) {
          return pods.size() == 1
              ? objection
              : objection.map(why -> "pod " + pod.ref().name() + " of the group: " + why);
        }
      }
      for (PodView pod : pods) {
        if (Demand.scarceBeside(pod, this::read).isPresent()) {
          return Optional.empty();
        }
      }
      return Optional.of("the scheduler does not say of any pod of the group that it lacks GPUs");
    }
  }

  private static Map<String, Integer> requested(List<PodView> pods) {
    Map<String, Integer> requested = new HashMap<>();
    for (PodView pod : pods) {
      pod.accelerators()
          .byResource()
          .forEach((each, count) -> requested.merge(each, count, Integer::sum));
    }
    return requested;
  }

  private static PendingStatus status(List<PodView> pods, PendingOutcome outcome, String sentence) {
    return new PendingStatus(
        Demand.unitOf(pods.getFirst()),
        pods.stream().map(PodView::ref).toList(),
        pods.getFirst().traits().schedulingGroup(),
        requested(pods),
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
