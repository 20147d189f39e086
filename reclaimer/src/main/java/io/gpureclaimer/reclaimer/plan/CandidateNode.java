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
 * One node in a planning: its free GPUs, and the workloads on it that could be reclaimed. Confined
 * to one planning.
 *
 * <p>The GPUs of terminating pods count as free already. A node that lost GPUs can be below zero.
 */
final class CandidateNode {
  private final NodeView node;
  private final List<VictimCandidate> candidates = new ArrayList<>();
  private int free;

  /**
   * A workload that could be reclaimed.
   *
   * @param gpus that this would free on the node
   */
  private record VictimCandidate(Due due, int gpus) {}

  CandidateNode(NodeView node) {
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
    candidates.add(new VictimCandidate(due, due.workload().gpusHeldOn(name())));
    candidates.sort(Comparator.comparingInt(VictimCandidate::gpus).reversed());
  }

  void withdraw(Predicate<Due> which) {
    candidates.removeIf(candidate -> which.test(candidate.due()));
  }

  /** Whether a pod could ever be served here. */
  boolean offersAnything() {
    return free > 0 || !candidates.isEmpty();
  }

  /** How many workloads must be reclaimed at least; empty if all would not suffice. */
  OptionalInt fewest(Demand demand) {
    int missing = demand.gpus() - free;
    int count = 0;
    for (int index = 0; missing > 0 && index < candidates.size(); index++) {
      VictimCandidate candidate = candidates.get(index);
      if (yields(candidate.due(), demand)) {
        missing -= candidate.gpus();
        count++;
      }
    }
    return missing > 0 ? OptionalInt.empty() : OptionalInt.of(count);
  }

  /** The best victims for a pending pod. */
  Optional<VictimSet> victims(Demand demand) {
    List<Due> lesser =
        candidates.stream().map(VictimCandidate::due).filter(due -> yields(due, demand)).toList();
    return VictimSet.best(name(), demand.gpus() - free, lesser);
  }

  private static boolean yields(Due due, Demand demand) {
    return due.workload().priority() <= demand.priority();
  }
}
