package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Workloads to reclaim so that a pending pod can run on one node; none if enough is free.
 *
 * <p>The best come first: fewest workloads, smallest surplus, longest idle, and the UIDs so that
 * the order is the same every time.
 *
 * @param node where
 * @param victims by descending idle time
 * @param surplus GPUs that would stay free
 * @param leastIdle how long each of them has been idle at least
 */
record VictimSet(String node, List<Due> victims, int surplus, Duration leastIdle)
    implements Comparable<VictimSet> {
  private static final Comparator<Integer> LARGEST_FIRST = Comparator.reverseOrder();

  VictimSet {
    victims = List.copyOf(victims);
  }

  /**
   * The best victims on one node, exactly: first how few could free enough GPUs, then the best of
   * all sets of that size. A node has so few GPUs that trying all is quick.
   *
   * @param missing how many GPUs have to be freed; zero or less when enough is free
   * @return no victims if enough is free, and empty if all together would not suffice
   */
  static Optional<VictimSet> best(String node, int missing, List<Due> candidates) {
    var search = new VictimSearch(node, missing, candidates);
    search.fewest().ifPresent(size -> search.tryAll(size, 0, 0));
    return search.best;
  }

  private static VictimSet of(String node, List<Due> victims, int surplus) {
    Duration least =
        victims.stream().map(Due::idleFor).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
    return new VictimSet(node, victims, surplus, least);
  }

  @Override
  public int compareTo(VictimSet other) {
    int order = Integer.compare(victims.size(), other.victims.size());
    order = order != 0 ? order : Integer.compare(surplus, other.surplus);
    order = order != 0 ? order : other.leastIdle.compareTo(leastIdle);
    order = order != 0 ? order : uids().compareTo(other.uids());
    return order != 0 ? order : node.compareTo(other.node);
  }

  private String uids() {
    return victims.stream()
        .map(due -> due.workload().uid())
        .sorted()
        .collect(Collectors.joining(" "));
  }

  /** Search for the best set. Confined to one call. */
  private static final class VictimSearch {
    private final String node;
    private final int missing;
    private final List<Due> candidates;
    private final Deque<Due> chosen = new ArrayDeque<>();
    private Optional<VictimSet> best = Optional.empty();

    private VictimSearch(String node, int missing, List<Due> candidates) {
      this.node = node;
      this.missing = missing;
      this.candidates = candidates;
    }

    private Optional<Integer> fewest() {
      Iterator<Integer> sizes =
          candidates.stream().map(this::gpus).sorted(LARGEST_FIRST).iterator();
      int count = 0;
      int freed = 0;
      while (freed < missing && sizes.hasNext()) {
        freed += sizes.next();
        count++;
      }
      return freed >= missing ? Optional.of(count) : Optional.empty();
    }

    private void tryAll(int size, int from, int freed) {
      if (chosen.size() == size) {
        consider(freed);
        return;
      }
      for (int index = from; index < candidates.size(); index++) {
        Due next = candidates.get(index);
        chosen.addLast(next);
        tryAll(size, index + 1, freed + gpus(next));
        chosen.removeLast();
      }
    }

    private void consider(int freed) {
      if (freed >= missing) {
        var found = VictimSet.of(node, List.copyOf(chosen), freed - missing);
        best = best.filter(known -> known.compareTo(found) <= 0).or(() -> Optional.of(found));
      }
    }

    private int gpus(Due due) {
      return due.workload().gpusHeldOn(node);
    }
  }
}
