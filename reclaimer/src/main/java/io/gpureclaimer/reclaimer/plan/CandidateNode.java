package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Demand.Target;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The devices of one resource on one node in a planning: those that are free, and the workloads
 * with such devices that could be reclaimed. Confined to one planning.
 *
 * <p>Those of terminating pods count as free already. A node that lost devices can be below zero.
 */
final class CandidateNode {
  private final NodeView node;
  private final String resource;
  private final int capacity;
  private final ToLongFunction<Due> cost;
  private final SchedulingRules rules;
  private final List<VictimCandidate> candidates = new ArrayList<>();

  /** Answers that hold while the candidates do: many pending pods are alike. */
  private final Map<VictimSetKey, Optional<VictimSet>> found = new HashMap<>();

  private int free;

  /** Whether pods leave it, or are to leave it, whose other resources are not free yet. */
  private boolean isLeft;

  /** Devices of all candidates. */
  private int offered;

  /**
   * A workload that could be reclaimed.
   *
   * @param devices that this would free on the node
   */
  record VictimCandidate(Due due, int devices) {}

  /** State of a node that planning changes. */
  record NodePlanState(int free, boolean isLeft, List<VictimCandidate> candidates) {}

  CandidateNode(
      NodeView node,
      String resource,
      int capacity,
      ToLongFunction<Due> cost,
      SchedulingRules rules) {
    this.rules = rules;
    this.node = node;
    this.resource = resource;
    this.capacity = capacity;
    this.cost = cost;
    this.free = capacity;
  }

  String resource() {
    return resource;
  }

  String name() {
    return node.name();
  }

  NodeView view() {
    return node;
  }

  int capacity() {
    return capacity;
  }

  /** Devices that no pod has; below zero on a node that lost some. */
  int free() {
    return free;
  }

  /** Workloads that could be reclaimed. */
  Stream<Due> offered() {
    return candidates.stream().map(VictimCandidate::due);
  }

  boolean suits(Target target) {
    return resource.equals(target.resource()) && node.suits(target.placement());
  }

  NodePlanState state() {
    return new NodePlanState(free, isLeft, List.copyOf(candidates));
  }

  void restore(NodePlanState state) {
    free = state.free();
    isLeft = state.isLeft();
    if (candidates.size() != state.candidates().size()) {
      candidates.clear();
      candidates.addAll(state.candidates());
      changed();
    }
  }

  void take(int devices) {
    free -= devices;
  }

  int freeBlocks(int devices) {
    return Math.max(0, free) / devices;
  }

  void hold(PodView pod) {
    if (pod.terminating()) {
      isLeft = true;
    } else {
      take(pod.accelerators().count(resource));
    }
  }

  void release(PodView pod) {
    free += pod.accelerators().count(resource);
    isLeft = true;
  }

  void offer(Due due) {
    candidates.add(new VictimCandidate(due, due.workload().heldOn(name(), resource)));
    changed();
  }

  void withdraw(Predicate<Due> which) {
    if (candidates.removeIf(candidate -> which.test(candidate.due()))) {
      changed();
    }
  }

  /** Whether a pod could ever be served here. */
  boolean offersAnything() {
    return free > 0 || !candidates.isEmpty();
  }

  /**
   * The best victims for a pending pod. Where it needs scarce resources and devices are free, the
   * scheduler has found too little of the others here, unless pods are about to leave.
   */
  Optional<VictimSet> victims(Demand demand, int most) {
    boolean isScarce = !demand.scarce().isEmpty();
    if (isScarce && free >= demand.count() && !isLeft) {
      return Optional.empty();
    }
    int missing = isScarce && free < demand.count() ? demand.count() : demand.count() - free;
    if (missing > offered) {
      return Optional.empty();
    }
    return rules.concern(demand)
        ? searchAllowed(demand, missing, most)
        : found.computeIfAbsent(
            new VictimSetKey(missing, demand.count(), demand.priority(), most, demand.scarce()),
            _ -> search(demand, missing, most));
  }

  private Optional<VictimSet> search(Demand demand, int missing, int most) {
    return VictimSet.best(name(), resource, missing, lesser(demand), most, cost);
  }

  /** Where enough devices are free, nothing is reclaimed for the sake of other rules. */
  private Optional<VictimSet> searchAllowed(Demand demand, int missing, int most) {
    if (missing <= 0) {
      return search(demand, missing, most).filter(_ -> allow(demand, List.of()));
    }
    List<Due> lesser = lesser(demand);
    return rules.requireOthers(demand) || allow(demand, lesser)
        ? VictimSet.bestAllowed(
            name(), resource, missing, lesser, most, cost, victims -> allow(demand, victims))
        : Optional.empty();
  }

  private boolean allow(Demand demand, List<Due> victims) {
    return rules.allow(demand, node, victims.stream().map(Due::workload).toList());
  }

  private List<Due> lesser(Demand demand) {
    return candidates.stream()
        .map(VictimCandidate::due)
        .filter(due -> yields(due, demand) && leavesEnough(due, demand))
        .toList();
  }

  /**
   * Whether a victim leaves as much of scarce resources for each of its devices as the pod needs
   * for each of its own: victims with enough devices then leave enough of all.
   */
  private boolean leavesEnough(Due due, Demand demand) {
    long held = due.workload().heldOn(name(), resource);
    return demand.scarce().entrySet().stream()
        .allMatch(
            each ->
                due.workload().requestedOn(name(), each.getKey()) * demand.count()
                    >= each.getValue() * held);
  }

  /** Pod requirements and number of victims. */
  private record VictimSetKey(
      int missing, int devices, int priority, int most, Map<String, Long> scarce) {}

  private void changed() {
    found.clear();
    offered = candidates.stream().mapToInt(VictimCandidate::devices).sum();
  }

  private static boolean yields(Due due, Demand demand) {
    return due.workload().priority() <= demand.priority();
  }
}
