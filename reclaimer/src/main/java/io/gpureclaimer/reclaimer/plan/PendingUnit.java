package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Pending pods that need GPUs and are of use only together: the members of a group, or a single
 * pod. GPUs are freed for all of them or for none.
 *
 * @param id the same for all members
 * @param members those that are pending, the largest first
 */
public record PendingUnit(String id, List<Demand> members) {
  private static final Comparator<Demand> LARGEST_FIRST =
      Comparator.comparingInt(Demand::gpus).reversed().thenComparing(each -> each.pod().uid());

  private static final Comparator<PendingUnit> ORDER =
      Comparator.comparingInt(PendingUnit::priority)
          .reversed()
          .thenComparing(PendingUnit::since)
          .thenComparing(PendingUnit::id);

  public PendingUnit {
    members = members.stream().sorted(LARGEST_FIRST).toList();
  }

  /**
   * All units that would run if there were free GPUs: highest priority first, then the oldest. A
   * group is none while one of its pending pods lacks something else, or is younger than the grace.
   */
  public static List<PendingUnit> in(ClusterView cluster, Duration pendingGrace, Instant now) {
    return cluster.pods().stream()
        .filter(pod -> pod.awaitsGpus() && !pod.terminating())
        .collect(Collectors.groupingBy(Demand::unitOf))
        .entrySet()
        .stream()
        .flatMap(unit -> of(unit.getKey(), unit.getValue()).stream())
        .filter(unit -> unit.isOlderThan(pendingGrace, now))
        .sorted(ORDER)
        .toList();
  }

  private static Optional<PendingUnit> of(String id, List<PodView> pods) {
    List<Demand> members = pods.stream().flatMap(pod -> Demand.of(pod).stream()).toList();
    boolean areGpusShort =
        pods.stream()
            .flatMap(pod -> pod.waiting().stream())
            .anyMatch(waiting -> Demand.SchedulerMessage.onlyGpusAreMissing(waiting.message()));
    return areGpusShort && members.size() == pods.size()
        ? Optional.of(new PendingUnit(id, members))
        : Optional.empty();
  }

  private boolean isOlderThan(Duration grace, Instant now) {
    return members.stream()
        .allMatch(each -> Duration.between(each.since(), now).compareTo(grace) >= 0);
  }

  /** The lowest of its members: the scheduler runs none of them before that one. */
  int priority() {
    return members.stream().mapToInt(Demand::priority).min().orElseThrow();
  }

  Instant since() {
    return members.stream().map(Demand::since).min(Comparator.naturalOrder()).orElseThrow();
  }

  /** Without the members for which GPUs are being freed; empty if these are all. */
  Optional<PendingUnit> without(Set<String> uids) {
    List<Demand> others =
        members.stream().filter(each -> !uids.contains(each.pod().uid())).toList();
    return others.isEmpty() ? Optional.empty() : Optional.of(new PendingUnit(id, others));
  }
}
