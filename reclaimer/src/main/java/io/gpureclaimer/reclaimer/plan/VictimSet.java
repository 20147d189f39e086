package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.plan.CandidateNode.VictimCandidate;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Workloads to reclaim so that a pending pod can run on one node; none if enough is free.
 *
 * @param node where
 * @param victims in the order of their UIDs
 * @param cost the sum of their expected losses, see {@link Fairness#cost}
 * @param surplus devices that would stay free
 * @param leastIdle how long each of them has been idle at least
 */
record VictimSet(String node, List<Due> victims, long cost, int surplus, Duration leastIdle) {
  /** So that a node with many candidates does not delay the planning. */
  private static final int MOST_TRIED = 10;

  /** With more candidates, those that leave other resources out of proportion are left out. */
  private static final int MOST_BY_AMOUNT = 10;

  private static final Comparator<Due> BY_UID = Comparator.comparing(due -> due.workload().uid());
  private static final Comparator<VictimCandidate> CANDIDATES_BY_UID =
      Comparator.comparing(VictimCandidate::due, BY_UID);

  /** With the UIDs, so that the order is the same every time. */
  private static final Comparator<VictimSet> LEAST_COST =
      Comparator.comparingLong(VictimSet::cost)
          .thenComparingInt(set -> set.victims().size())
          .thenComparingInt(VictimSet::surplus)
          .thenComparing(Comparator.comparing(VictimSet::leastIdle).reversed())
          .thenComparing(VictimSet::compareUids)
          .thenComparing(VictimSet::node);

  VictimSet {
    victims = List.copyOf(victims);
  }

  /**
   * The best come first: of those with at most so many victims the least cost, then fewest victims,
   * smallest surplus, longest idle. Those with more victims follow, the fewest first.
   */
  static Comparator<VictimSet> order(int most) {
    return Comparator.<VictimSet>comparingInt(set -> excess(set.victims().size(), most))
        .thenComparing(LEAST_COST);
  }

  /** By how much a number of victims is too large; zero for all that are not. */
  static int excess(int victims, int most) {
    return Math.max(0, victims - most);
  }

  /**
   * The best victims on one node, exactly: of all sets that leave the same missing with the same
   * number of victims, only the best is followed.
   *
   * @param missing what has to be freed
   * @param most how many victims there may be, if that suffices
   * @param cost of one victim
   * @return no victims if enough is free, and empty if all together would not suffice
   */
  static Optional<VictimSet> best(
      String node,
      MissingResources missing,
      List<VictimCandidate> candidates,
      int most,
      ToLongFunction<Due> cost) {
    if (missing.isNothing()) {
      return Optional.of(new VictimSet(node, List.of(), 0, missing.surplus(), Duration.ZERO));
    }
    if (candidates.size() > MOST_BY_AMOUNT && !missing.others().isEmpty()) {
      List<VictimCandidate> sufficient =
          candidates.stream().filter(each -> missing.isLeftInProportion(each, node)).toList();
      return missing.lacksDevices()
          ? best(node, missing.ofDevices(), sufficient, most, cost)
          : Optional.empty();
    }
    Map<LeftBy, Partial> found = new HashMap<>();
    found.put(new LeftBy(0, missing), Partial.NOTHING);
    for (VictimCandidate candidate : candidates.stream().sorted(CANDIDATES_BY_UID).toList()) {
      Due due = candidate.due();
      long more = cost.applyAsLong(due);
      Map<String, Integer> devices = candidate.devices();
      Map<String, Long> others =
          missing.others().isEmpty() ? Map.of() : due.workload().requestedOn(node);
      for (var known : found.entrySet().stream().map(Map.Entry::copyOf).toList()) {
        LeftBy before = known.getKey();
        // A set is not improved by one that frees nothing of what is still missing.
        if (before.missing().isReducedBy(devices, others)) {
          found.merge(
              before.and(devices, others), known.getValue().and(due, more), Partial::better);
        }
      }
    }
    return found.entrySet().stream()
        .filter(each -> each.getKey().missing().isNothing())
        .map(each -> each.getValue().on(node, each.getKey().missing().surplus()))
        .min(order(most));
  }

  /**
   * The best that are allowed, exactly: each set of those that rules concern is completed by the
   * best of the others. Of more than {@value #MOST_TRIED} that rules concern, the cheapest are
   * tried.
   *
   * @param concerned candidates on which it depends whether the pod may run
   * @param others the other candidates
   * @param allowed whether the pod may run once these are gone
   */
  static Optional<VictimSet> bestAllowed(
      String node,
      MissingResources missing,
      List<VictimCandidate> concerned,
      List<VictimCandidate> others,
      int most,
      ToLongFunction<Due> cost,
      Predicate<List<Due>> allowed) {
    List<VictimCandidate> tried =
        concerned.stream()
            .sorted(
                Comparator.<VictimCandidate>comparingLong(each -> cost.applyAsLong(each.due()))
                    .thenComparing(CANDIDATES_BY_UID))
            .limit(MOST_TRIED)
            .toList();
    return IntStream.range(0, 1 << tried.size())
        .mapToObj(set -> chosen(set, tried))
        .filter(some -> allowed.test(victims(some)))
        .flatMap(
            some ->
                best(node, without(some, missing, node), others, most - some.size(), cost).stream()
                    .map(rest -> rest.and(victims(some), cost)))
        .min(order(most));
  }

  private static MissingResources without(
      List<VictimCandidate> victims, MissingResources missing, String node) {
    MissingResources left = missing;
    for (VictimCandidate each : victims) {
      left = left.without(each.devices(), each.due().workload().requestedOn(node));
    }
    return left;
  }

  private VictimSet and(List<Due> more, ToLongFunction<Due> cost) {
    List<Due> all = Stream.concat(victims.stream(), more.stream()).sorted(BY_UID).toList();
    return of(all, node, surplus, cost);
  }

  private static List<Due> victims(List<VictimCandidate> some) {
    return some.stream().map(VictimCandidate::due).toList();
  }

  private static List<VictimCandidate> chosen(int set, List<VictimCandidate> all) {
    return IntStream.range(0, all.size())
        .filter(index -> (set >> index & 1) == 1)
        .mapToObj(all::get)
        .toList();
  }

  private static VictimSet of(
      List<Due> victims, String node, int surplus, ToLongFunction<Due> cost) {
    Duration leastIdle =
        victims.stream().map(Due::idleFor).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
    return new VictimSet(node, victims, victims.stream().mapToLong(cost).sum(), surplus, leastIdle);
  }

  private static int compareUids(VictimSet one, VictimSet other) {
    int both = Math.min(one.victims.size(), other.victims.size());
    for (int index = 0; index < both; index++) {
      int order = BY_UID.compare(one.victims.get(index), other.victims.get(index));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(one.victims.size(), other.victims.size());
  }

  /** What is still missing after so many victims. */
  private record LeftBy(int victims, MissingResources missing) {
    LeftBy and(Map<String, Integer> devices, Map<String, Long> others) {
      return new LeftBy(victims + 1, missing.without(devices, others));
    }
  }

  /**
   * A set of victims.
   *
   * @param last the last one; absent in the empty set, as {@code before} is
   */
  private record Partial(
      long cost, Duration leastIdle, @Nullable Partial before, @Nullable Due last) {
    private static final Partial NOTHING =
        new Partial(0, Duration.ofSeconds(Long.MAX_VALUE), null, null);

    Partial and(Due due, long more) {
      Duration least = due.idleFor().compareTo(leastIdle) < 0 ? due.idleFor() : leastIdle;
      return new Partial(cost + more, least, this, due);
    }

    /** Of two that free the same; the first is kept if they are equal. */
    static Partial better(Partial one, Partial other) {
      int order = Long.compare(one.cost, other.cost);
      order = order != 0 ? order : other.leastIdle.compareTo(one.leastIdle);
      return order <= 0 ? one : other;
    }

    VictimSet on(String node, int surplus) {
      List<Due> victims = new ArrayList<>();
      for (Partial each = this; each != null && each.last != null; each = each.before) {
        victims.add(each.last);
      }
      return new VictimSet(node, victims.reversed(), cost, surplus, leastIdle);
    }
  }
}
