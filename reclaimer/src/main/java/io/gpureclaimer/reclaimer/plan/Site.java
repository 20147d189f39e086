package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * One node in a planning: what is free on it, and who could go. Confined to one planning.
 *
 * <p>The GPUs of terminating pods count as free already. A node that lost GPUs can be below zero.
 */
final class Site {
  private static final Comparator<Due> LARGEST_FIRST =
      Comparator.comparingInt((Due due) -> due.pod().gpus()).reversed();

  private final NodeView node;
  private final List<Due> candidates = new ArrayList<>();
  private int free;

  Site(NodeView node) {
    this.node = node;
    this.free = node.gpus();
  }

  String name() {
    return node.name();
  }

  boolean suits(Placement placement) {
    return node.suits(placement);
  }

  void take(int gpus) {
    free -= gpus;
  }

  void give(int gpus) {
    free += gpus;
  }

  void offer(Due due) {
    candidates.add(due);
    candidates.sort(LARGEST_FIRST);
  }

  void withdraw(Predicate<Due> which) {
    candidates.removeIf(which);
  }

  /** Whether anybody could ever be served here. */
  boolean offersAnything() {
    return free > 0 || !candidates.isEmpty();
  }

  /** How many would have to go at least; nothing if all would not suffice. */
  OptionalInt fewest(Demand demand) {
    int missing = demand.gpus() - free;
    int count = 0;
    for (int index = 0; missing > 0 && index < candidates.size(); index++) {
      Due due = candidates.get(index);
      if (yields(due, demand)) {
        missing -= due.pod().gpus();
        count++;
      }
    }
    return missing > 0 ? OptionalInt.empty() : OptionalInt.of(count);
  }

  /** The best victims for it. */
  Optional<Victims> victims(Demand demand) {
    List<Due> lesser = candidates.stream().filter(due -> yields(due, demand)).toList();
    return VictimSearch.best(name(), demand.gpus() - free, lesser);
  }

  private static boolean yields(Due due, Demand demand) {
    return due.pod().priority() <= demand.priority();
  }
}
