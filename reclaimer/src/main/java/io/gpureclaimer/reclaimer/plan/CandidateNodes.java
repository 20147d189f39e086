package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The nodes in a planning. Confined to one planning. */
final class CandidateNodes {
  private final Map<String, CandidateNode> byName;

  /** By placement: asked of each node once, because pending pods have few different placements. */
  private final Map<Placement, List<CandidateNode>> suitable = new HashMap<>();

  CandidateNodes(ClusterView cluster) {
    byName = HashMap.newHashMap(cluster.nodes().size());
    for (NodeView view : cluster.nodes()) {
      byName.put(view.name(), new CandidateNode(view));
    }
    for (PodView pod : cluster.pods()) {
      if (pod.holdsGpus() && !pod.terminating()) {
        on(pod, node -> node.take(pod.gpus()));
      }
    }
  }

  /** Frees the GPUs that a workload holds, on all its nodes. */
  void free(Workload workload) {
    workload.pods().stream()
        .filter(PodView::holdsGpus)
        .forEach(pod -> on(pod, node -> node.give(pod.gpus())));
  }

  /** Offers a workload as a victim on every node where it holds GPUs. */
  void offer(Due due) {
    due.workload().pods().stream()
        .filter(pod -> pod.holdsGpus() && pod.gpus() > 0)
        .flatMap(pod -> pod.node().stream())
        .distinct()
        .flatMap(node -> named(node).stream())
        .forEach(node -> node.offer(due));
  }

  private void on(PodView pod, Consumer<CandidateNode> what) {
    pod.node().flatMap(this::named).ifPresent(what);
  }

  Optional<CandidateNode> named(String node) {
    return Optional.ofNullable(byName.get(node));
  }

  /** Withdraws these victims from all nodes. */
  void withdraw(Predicate<Due> which) {
    byName.values().forEach(node -> node.withdraw(which));
  }

  /**
   * The best victims on any node; none if a node has enough free GPUs. How many victims each node
   * needs at least is quickly found, so that victims are searched only where they are fewest.
   */
  Optional<VictimSet> best(Demand demand) {
    List<CandidateNode> fewest = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    for (CandidateNode node : suitable(demand.placement())) {
      OptionalInt count = node.fewest(demand);
      if (count.isEmpty() || count.getAsInt() > least) {
        continue;
      }
      if (count.getAsInt() < least) {
        least = count.getAsInt();
        fewest.clear();
      }
      fewest.add(node);
    }
    return fewest.stream().flatMap(node -> node.victims(demand).stream()).min(VictimSet::compareTo);
  }

  /**
   * The best victims for all members of a unit; empty if one of them could not run. Each member
   * takes the best that the larger ones have left, and a victim without which all fit is given
   * back, the last one first.
   */
  Optional<UnitVictims> best(PendingUnit unit) {
    if (unit.members().size() == 1) {
      Demand single = unit.members().getFirst();
      return best(single)
          .map(best -> new UnitVictims(List.of(new Served(single, best.node())), best.victims()));
    }
    var before = new Snapshot();
    Optional<UnitVictims> found = allOf(unit).map(before::withoutNeedless);
    before.restore();
    return found;
  }

  private Optional<UnitVictims> allOf(PendingUnit unit) {
    List<Served> served = new ArrayList<>();
    List<Due> victims = new ArrayList<>();
    for (Demand member : unit.members()) {
      Optional<VictimSet> best = best(member);
      if (best.isEmpty()) {
        return Optional.empty();
      }
      var one =
          new UnitVictims(List.of(new Served(member, best.get().node())), best.get().victims());
      promise(one);
      served.addAll(one.served());
      victims.addAll(one.victims());
    }
    return Optional.of(new UnitVictims(served, victims));
  }

  /** Frees what the victims hold, and takes what is served. They are victims of no other. */
  void promise(UnitVictims best) {
    for (Served each : best.served()) {
      named(each.node()).ifPresent(node -> node.take(each.demand().gpus()));
    }
    best.victims().forEach(due -> free(due.workload()));
    if (!best.victims().isEmpty()) {
      Set<String> uids =
          best.victims().stream()
              .map(due -> due.workload().uid())
              .collect(Collectors.toUnmodifiableSet());
      withdraw(due -> uids.contains(due.workload().uid()));
    }
  }

  /** The nodes as they were when it was made. Confined to one search. */
  private final class Snapshot {
    private final IdentityHashMap<CandidateNode, CandidateNode.State> states =
        new IdentityHashMap<>();

    Snapshot() {
      byName.values().forEach(node -> states.put(node, node.state()));
    }

    void restore() {
      states.forEach((node, state) -> node.restore(state));
    }

    /** The same members, on the same nodes, with as few of the victims as possible. */
    UnitVictims withoutNeedless(UnitVictims found) {
      UnitVictims smallest = found;
      for (Due each : found.victims().reversed()) {
        List<Due> fewer =
            smallest.victims().stream()
                .filter(due -> !due.workload().uid().equals(each.workload().uid()))
                .toList();
        smallest =
            fit(found.served(), fewer)
                .map(served -> new UnitVictims(served, fewer))
                .orElse(smallest);
      }
      return smallest;
    }

    private Optional<List<Served>> fit(List<Served> found, List<Due> freed) {
      restore();
      freed.forEach(due -> free(due.workload()));
      List<CandidateNode> used =
          found.stream()
              .map(Served::node)
              .distinct()
              .flatMap(name -> named(name).stream())
              .toList();
      List<Served> again = new ArrayList<>();
      for (Served each : found) {
        Demand member = each.demand();
        Optional<CandidateNode> fullest =
            used.stream()
                .filter(node -> node.free >= member.gpus() && node.suits(member.placement()))
                .min(Comparator.comparingInt(node -> node.free));
        if (fullest.isEmpty()) {
          return Optional.empty();
        }
        fullest.get().take(member.gpus());
        again.add(new Served(member, fullest.get().name()));
      }
      return Optional.of(again);
    }
  }

  /**
   * A pending pod that can run.
   *
   * @param node where
   */
  record Served(Demand demand, String node) {}

  /**
   * Workloads to reclaim so that all members of a unit can run.
   *
   * @param served all members, the largest first
   * @param victims none if enough is free
   */
  record UnitVictims(List<Served> served, List<Due> victims) {
    UnitVictims {
      served = List.copyOf(served);
      victims = List.copyOf(victims);
    }

    /** The member that gets GPUs of a victim, or the largest where none is on its nodes. */
    Served servedBy(Due victim) {
      return served.stream()
          .filter(each -> victim.workload().gpusHeldOn(each.node()) > 0)
          .findFirst()
          .orElseGet(served::getFirst);
    }
  }

  private List<CandidateNode> suitable(Placement placement) {
    return suitable.computeIfAbsent(
        placement,
        wanted ->
            byName.values().stream()
                .filter(CandidateNode::offersAnything)
                .filter(node -> node.suits(wanted))
                .toList());
  }

  /**
   * One node in a planning: its free GPUs, and the workloads on it that could be reclaimed.
   * Confined to one planning.
   *
   * <p>The GPUs of terminating pods count as free already. A node that lost GPUs can be below zero.
   */
  static final class CandidateNode {
    private final NodeView node;
    private final List<VictimCandidate> candidates = new ArrayList<>();
    private int free;

    /**
     * A workload that could be reclaimed.
     *
     * @param gpus that this would free on the node
     */
    private record VictimCandidate(Due due, int gpus) {}

    /** What a planning changes of a node. */
    private record State(int free, List<VictimCandidate> candidates) {}

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

    private State state() {
      return new State(free, List.copyOf(candidates));
    }

    private void restore(State state) {
      free = state.free();
      candidates.clear();
      candidates.addAll(state.candidates());
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
}
