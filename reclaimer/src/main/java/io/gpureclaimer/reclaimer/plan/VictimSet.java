package io.gpureclaimer.reclaimer.plan;

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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  private static final Comparator<Due> BY_UID = Comparator.comparing(due -> due.workload().uid());

  /** With the UIDs, so that the order is the same every time. */
  private static final Comparator<VictimSet> LEAST_COST =
      Comparator.comparingLong(VictimSet::cost)
          .thenComparingInt(set -> set.victims().size())
          .thenComparingInt(VictimSet::surplus)
          .thenComparing(Comparator.comparing(VictimSet::leastIdle).reversed())
          .thenComparing(VictimSet::uids)
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
   * The best victims on one node, exactly: of all sets that free as many devices with the same
   * number of victims, only the best is followed.
   *
   * @param resource what has to be freed
   * @param missing how many of it; zero or less when enough is free
   * @param most how many victims there may be, if that suffices
   * @param cost of one victim
   * @return no victims if enough is free, and empty if all together would not suffice
   */
  static Optional<VictimSet> best(
      String node,
      String resource,
      int missing,
      List<Due> candidates,
      int most,
      ToLongFunction<Due> cost) {
    if (missing <= 0) {
      return Optional.of(new VictimSet(node, List.of(), 0, -missing, Duration.ZERO));
    }
    Map<FreedBy, Partial> found = new HashMap<>();
    found.put(new FreedBy(0, 0), Partial.NOTHING);
    for (Due due : candidates.stream().sorted(BY_UID).toList()) {
      int devices = due.workload().heldOn(node, resource);
      long more = cost.applyAsLong(due);
      for (var known : Map.copyOf(found).entrySet()) {
        FreedBy before = known.getKey();
        // A set that frees enough already is not improved by one more.
        if (before.devices() < missing) {
          found.merge(
              new FreedBy(before.victims() + 1, before.devices() + devices),
              known.getValue().and(due, more),
              Partial::better);
        }
      }
    }
    return found.entrySet().stream()
        .filter(each -> each.getKey().devices() >= missing)
        .map(each -> each.getValue().on(node, each.getKey().devices() - missing))
        .min(order(most));
  }

  /**
   * The best that are allowed. Where rules between pods forbid those of {@link #best}, every set of
   * {@value #MOST_TRIED} candidates is tried, the cheapest.
   *
   * @param allowed whether the pod may run once these are gone
   */
  static Optional<VictimSet> bestAllowed(
      String node,
      String resource,
      int missing,
      List<Due> candidates,
      int most,
      ToLongFunction<Due> cost,
      Predicate<List<Due>> allowed) {
    Optional<VictimSet> best = best(node, resource, missing, candidates, most, cost);
    if (best.isEmpty() || allowed.test(best.get().victims())) {
      return best;
    }
    List<Due> tried =
        candidates.stream()
            .sorted(Comparator.comparingLong(cost).thenComparing(BY_UID))
            .limit(MOST_TRIED)
            .toList();
    return IntStream.range(1, 1 << tried.size())
        .mapToObj(set -> chosen(set, tried))
        .filter(victims -> devices(victims, node, resource) >= missing)
        .map(victims -> of(victims, node, devices(victims, node, resource) - missing, cost))
        .sorted(order(most))
        .filter(set -> allowed.test(set.victims()))
        .findFirst();
  }

  private static List<Due> chosen(int set, List<Due> all) {
    return IntStream.range(0, all.size())
        .filter(index -> (set >> index & 1) == 1)
        .mapToObj(all::get)
        .sorted(BY_UID)
        .toList();
  }

  private static int devices(List<Due> victims, String node, String resource) {
    return victims.stream().mapToInt(due -> due.workload().heldOn(node, resource)).sum();
  }

  private static VictimSet of(
      List<Due> victims, String node, int surplus, ToLongFunction<Due> cost) {
    Duration leastIdle =
        victims.stream().map(Due::idleFor).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
    return new VictimSet(node, victims, victims.stream().mapToLong(cost).sum(), surplus, leastIdle);
  }

  private String uids() {
    return victims.stream().map(due -> due.workload().uid()).collect(Collectors.joining(" "));
  }

  /** How many devices are freed by how many victims. */
  private record FreedBy(int victims, int devices) {}

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
