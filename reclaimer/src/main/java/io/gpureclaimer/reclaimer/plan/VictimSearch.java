package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the best victims on one node, exactly: first how few pods could free enough GPUs, then the
 * best of all sets of that size. A node has so few GPUs that trying them all is quick. Confined to
 * one search.
 */
final class VictimSearch {
  private static final Comparator<Integer> LARGEST_FIRST = Comparator.reverseOrder();

  private final String node;
  private final int missing;
  private final List<Due> candidates;
  private final Deque<Due> chosen = new ArrayDeque<>();
  private Optional<Victims> best = Optional.empty();

  private VictimSearch(String node, int missing, List<Due> candidates) {
    this.node = node;
    this.missing = missing;
    this.candidates = candidates;
  }

  /**
   * The best victims; none of them if enough is free, and nothing if all would not suffice.
   *
   * @param missing how many GPUs have to be freed; zero or less when enough is free
   */
  static Optional<Victims> best(String node, int missing, List<Due> candidates) {
    var search = new VictimSearch(node, missing, candidates);
    search.fewest().ifPresent(size -> search.tryAll(size, 0, 0));
    return search.best;
  }

  private Optional<Integer> fewest() {
    Iterator<Integer> sizes =
        candidates.stream().map(due -> due.pod().gpus()).sorted(LARGEST_FIRST).iterator();
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
      tryAll(size, index + 1, freed + next.pod().gpus());
      chosen.removeLast();
    }
  }

  private void consider(int freed) {
    if (freed >= missing) {
      var found = Victims.of(node, List.copyOf(chosen), freed - missing);
      best = best.filter(known -> known.compareTo(found) <= 0).or(() -> Optional.of(found));
    }
  }
}
