package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Demand.Target;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private final List<VictimCandidate> candidates = new ArrayList<>();

  /** Answers that hold while the candidates do: many pending pods are alike. */
  private final Map<VictimSetKey, Optional<VictimSet>> found = new HashMap<>();

  /** Empty until it is needed. */
  private Set<String> podsOffered = Set.of();

  private FreeResources others;
  private int free;

  /** Devices of all candidates. */
  private int offered;

  /**
   * A workload that could be reclaimed.
   *
   * @param devices that this would free on the node
   */
  record VictimCandidate(Due due, int devices) {}

  /** State of a node that planning changes. */
  record NodePlanState(int free, FreeResources others, List<VictimCandidate> candidates) {}

  /**
   * A node without pods that hold devices.
   *
   * @param requested by pods without devices
   */
  CandidateNode(
      NodeView node,
      String resource,
      int capacity,
      Map<String, Long> requested,
      ToLongFunction<Due> cost) {
    this.node = node;
    this.resource = resource;
    this.capacity = capacity;
    this.cost = cost;
    this.free = capacity;
    others = new FreeResources(node.allocatable()).less(requested);
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
    return resource.equals(target.resource())
        && !(target.unshared() && NodeView.sharesGpus(node.labels()))
        && node.suits(target.placement());
  }

  NodePlanState state() {
    return new NodePlanState(free, others, List.copyOf(candidates));
  }

  void restore(NodePlanState state) {
    free = state.free();
    others = state.others();
    if (candidates.size() != state.candidates().size()) {
      candidates.clear();
      candidates.addAll(state.candidates());
      changed();
    }
  }

  /** A pending pod will run on the node, with devices of this resource or another one. */
  void place(Demand demand) {
    free -= devicesFor(demand);
    others = others.less(demand.requests());
  }

  /** Takes that back. */
  void takeBack(Demand demand) {
    free += devicesFor(demand);
    others = others.and(demand.requests());
  }

  private int devicesFor(Demand demand) {
    return demand.resource().equals(resource) ? demand.count() : 0;
  }

  /** Whether a pending pod can run here without a victim. */
  boolean hasRoomFor(Demand demand) {
    return free >= demand.count() && others.cover(demand.requests());
  }

  /** Free devices in blocks, and how many of these leave room for what else the pod requests. */
  FreeBlocks freeBlocks(Demand block) {
    int blocks = Math.max(0, free) / block.count();
    int fitting = others.count(block.requests(), blocks);
    return fitting == blocks
        ? new FreeBlocks(blocks, 0, Set.of())
        : new FreeBlocks(fitting, blocks - fitting, lackedAfter(fitting, block));
  }

  private Set<String> lackedAfter(int blocks, Demand block) {
    FreeResources left = others;
    for (int placed = 0; placed < blocks; placed++) {
      left = left.less(block.requests());
    }
    return left.lacking(block.requests()).keySet();
  }

  void hold(PodView pod) {
    if (!pod.terminating()) {
      free -= pod.accelerators().count(resource);
      others = others.less(pod.requests());
    }
  }

  /** Devices of a workload that will be gone. */
  void release(Workload workload) {
    free += workload.heldOn(name(), resource);
    others = others.and(workload.requestedOn(name()));
  }

  void offer(Due due) {
    candidates.add(new VictimCandidate(due, due.workload().heldOn(name(), resource)));
    changed();
  }

  /** Whether there were any. */
  boolean withdraw(Predicate<Due> which) {
    boolean isChanged = candidates.removeIf(candidate -> which.test(candidate.due()));
    if (isChanged) {
      changed();
    }
    return isChanged;
  }

  /** Whether a pod could ever be served here. */
  boolean offersAnything() {
    return free > 0 || !candidates.isEmpty();
  }

  /**
   * The best victims for a pending pod, whatever rules between pods say. Where enough devices are
   * free, nothing is reclaimed for the sake of other resources.
   */
  Optional<VictimSet> victims(Demand demand, int most) {
    if (demand.count() - free > offered) {
      return Optional.empty();
    }
    MissingResources missing = missing(demand);
    if (missing.devices() <= 0 && !missing.others().isEmpty()) {
      return Optional.empty();
    }
    return found.computeIfAbsent(
        new VictimSetKey(missing, demand.priority(), most),
        _ -> VictimSet.best(name(), missing, lesser(demand), most, cost));
  }

  /** What it has too little of, if it could have enough devices. */
  Set<String> lackedBesideDevices(Demand demand) {
    MissingResources missing = missing(demand);
    return missing.devices() > offered ? Set.of() : missing.others().keySet();
  }

  private MissingResources missing(Demand demand) {
    return new MissingResources(resource, demand.count() - free, others.lacking(demand.requests()));
  }

  /** The same, of those that the rules of the pod allow, if it has some. */
  Optional<VictimSet> victims(Demand demand, int most, Optional<PodCheck> check) {
    return check.isPresent() ? victims(demand, most, check.get()) : victims(demand, most);
  }

  /** Where enough devices are free, nothing is reclaimed for the sake of rules. */
  private Optional<VictimSet> victims(Demand demand, int most, PodCheck check) {
    Optional<VictimSet> best = victims(demand, most);
    if (best.isEmpty() || !check.mayAllow(node, podsOffered())) {
      return Optional.empty();
    }
    if (check.allows(node, uids(best.get().victims()))) {
      return best;
    }
    if (best.get().victims().isEmpty()) {
      return Optional.empty();
    }
    List<Due> concerned = new ArrayList<>();
    List<Due> others = new ArrayList<>();
    for (Due due : lesser(demand)) {
      (isConcerned(due, check) ? concerned : others).add(due);
    }
    return concerned.isEmpty()
        ? Optional.empty()
        : VictimSet.bestAllowed(
            name(),
            missing(demand),
            concerned,
            others,
            most,
            cost,
            victims -> check.allows(node, uids(victims)));
  }

  /** UIDs of the pods of all candidates, on whichever nodes. */
  private Set<String> podsOffered() {
    if (podsOffered.isEmpty()) {
      podsOffered = uids(candidates.stream().map(VictimCandidate::due).toList());
    }
    return podsOffered;
  }

  private boolean isConcerned(Due due, PodCheck check) {
    for (PodView pod : due.workload().pods()) {
      if (check.concerns(pod.ref().uid(), node)) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> uids(List<Due> victims) {
    if (victims.isEmpty()) {
      return Set.of();
    }
    if (victims.size() == 1 && victims.getFirst().workload().pods().size() == 1) {
      return Set.of(victims.getFirst().workload().firstPod().ref().uid());
    }
    Set<String> uids = new HashSet<>();
    for (Due due : victims) {
      due.workload().pods().forEach(pod -> uids.add(pod.ref().uid()));
    }
    return uids;
  }

  private List<Due> lesser(Demand demand) {
    List<Due> lesser = new ArrayList<>();
    for (VictimCandidate candidate : candidates) {
      if (yields(candidate.due(), demand)) {
        lesser.add(candidate.due());
      }
    }
    return lesser;
  }

  /** Pod requirements and number of victims. */
  private record VictimSetKey(MissingResources missing, int priority, int most) {}

  private void changed() {
    found.clear();
    podsOffered = Set.of();
    offered = candidates.stream().mapToInt(VictimCandidate::devices).sum();
  }

  private static boolean yields(Due due, Demand demand) {
    return due.workload().priority() <= demand.priority();
  }
}
