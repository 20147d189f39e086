package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.plan.Demand.Target;
import io.gpureclaimer.reclaimer.plan.PendingStatus.PendingOutcome;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Pending pods that need devices and are of use only together: the members of a group, or a single
 * pod. Devices are freed for all of them or for none.
 *
 * @param id the same for all members
 * @param members those that are pending, the largest first
 */
record PendingUnit(String id, List<Demand> members) {
  private static final Comparator<Demand> LARGEST_FIRST =
      Comparator.comparingInt(Demand::count).reversed().thenComparing(each -> each.pod().uid());

  PendingUnit {
    members =
        members.size() == 1
            ? List.copyOf(members)
            : members.stream().sorted(LARGEST_FIRST).toList();
  }

  /** The lowest of its members: the scheduler runs none of them before that one. */
  int priority() {
    int lowest = members.getFirst().priority();
    for (Demand member : members) {
      lowest = Math.min(lowest, member.priority());
    }
    return lowest;
  }

  Instant since() {
    Instant first = members.getFirst().since();
    for (Demand member : members) {
      first = member.since().isBefore(first) ? member.since() : first;
    }
    return first;
  }

  /** Without the members for which GPUs are being freed; empty if these are all. */
  Optional<PendingUnit> without(Set<String> uids) {
    if (uids.isEmpty()) {
      return Optional.of(this);
    }
    List<Demand> others =
        members.stream().filter(each -> !uids.contains(each.pod().uid())).toList();
    return others.isEmpty() ? Optional.empty() : Optional.of(new PendingUnit(id, others));
  }

  /**
   * All devices that some of its members of one target and priority, one after the other, need
   * together.
   */
  List<Demand> together(Target target, int most) {
    Map<List<?>, Demand> found = new HashMap<>();
    for (int from = 0; from < members.size(); from++) {
      Demand first = members.get(from);
      Optional<Demand> together = Optional.empty();
      for (Demand next : members.subList(from, members.size())) {
        Demand all = together.map(before -> before.and(next)).orElse(next);
        if (!next.target().equals(target)
            || next.priority() != first.priority()
            || all.count() > most) {
          break;
        }
        found.putIfAbsent(List.of(all.devices(), first.priority()), all);
        together = Optional.of(all);
      }
    }
    return List.copyOf(found.values());
  }

  /** What all members with this target need together. */
  Demand together(Target target) {
    return members.stream()
        .filter(member -> member.target().equals(target))
        .reduce(Demand::and)
        .orElseThrow();
  }

  /** What its members need, each once. */
  List<Target> targets() {
    return members.stream().map(Demand::target).distinct().toList();
  }

  /** How many devices all members need, by resource. */
  Map<String, Integer> requested() {
    Map<String, Integer> requested = new HashMap<>();
    for (Demand member : members) {
      member.devices().forEach((each, count) -> requested.merge(each, count, Integer::sum));
    }
    return requested;
  }

  PendingStatus status(PendingOutcome outcome, int candidates, String sentence) {
    return status(outcome, Optional.empty(), candidates, sentence);
  }

  PendingStatus status(
      PendingOutcome outcome, Optional<Instant> until, int candidates, String sentence) {
    return new PendingStatus(
        id,
        members.size() == 1
            ? List.of(members.getFirst().pod())
            : members.stream().map(Demand::pod).toList(),
        members.getFirst().group(),
        requested(),
        Optional.of(since()),
        outcome,
        until,
        candidates,
        Optional.empty(),
        sentence);
  }
}
