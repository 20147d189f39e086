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

  private int free;

  /** Of the free ones, those of victims for other members, which leave enough scarce resources. */
  private int vacated;

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
  record NodePlanState(int free, int vacated, boolean isLeft, List<VictimCandidate> candidates) {}

  CandidateNode(NodeView node, String resource, int capacity, ToLongFunction<Due> cost) {
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
    return resource.equals(target.resource())
        && !(target.unshared() && NodeView.sharesGpus(node.labels()))
        && node.suits(target.placement());
  }

  NodePlanState state() {
    return new NodePlanState(free, vacated, isLeft, List.copyOf(candidates));
  }

  void restore(NodePlanState state) {
    free = state.free();
    vacated = state.vacated();
    isLeft = state.isLeft();
    if (candidates.size() != state.candidates().size()) {
      candidates.clear();
      candidates.addAll(state.candidates());
      changed();
    }
  }

  void take(int devices) {
    free -= devices;
    vacated = Math.max(0, vacated - devices);
  }

  /** Whether a pending pod can run here without a victim. */
  boolean hasRoomFor(Demand demand) {
    return free >= demand.count()
        && (demand.scarce().isEmpty() || isLeft || vacated >= demand.count());
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

  /** Devices of a workload that will be gone. */
  void release(Workload workload) {
    free += workload.heldOn(name(), resource);
    isLeft = true;
  }

  /**
   * Devices of a victim for one of several members.
   *
   * @param member of whom each device needs as much of scarce resources as of the others
   */
  void vacate(Due victim, Demand member) {
    int devices = victim.workload().heldOn(name(), resource);
    free += devices;
    if (leavesEnough(victim, member)) {
      vacated += devices;
    }
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
   * The best victims for a pending pod, whatever rules between pods say. Where it needs scarce
   * resources and devices are free, the scheduler has found too little of the others here, unless
   * pods are about to leave.
   */
  Optional<VictimSet> victims(Demand demand, int most) {
    boolean isScarce = !demand.scarce().isEmpty();
    if (isScarce && free - vacated >= demand.count() && !isLeft) {
      return Optional.empty();
    }
    int missing = missing(demand);
    if (missing > offered) {
      return Optional.empty();
    }
    return found.computeIfAbsent(
        new VictimSetKey(missing, demand.count(), demand.priority(), most, demand.scarce()),
        _ -> VictimSet.best(name(), resource, missing, lesser(demand), most, cost));
  }

  private int missing(Demand demand) {
    return demand.scarce().isEmpty() || hasRoomFor(demand)
        ? demand.count() - free
        : demand.count() - vacated;
  }

  /**
   * The same, of those that the rules allow. Where enough devices are free, nothing is reclaimed
   * for the sake of rules.
   */
  Optional<VictimSet> victims(Demand demand, int most, PodCheck check) {
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
            resource,
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
      if (yields(candidate.due(), demand) && leavesEnough(candidate.due(), demand)) {
        lesser.add(candidate.due());
      }
    }
    return lesser;
  }

  /**
   * Whether a victim leaves as much of scarce resources for each of its devices as the pod needs
   * for each of its own: victims with enough devices then leave enough of all.
   */
  private boolean leavesEnough(Due due, Demand demand) {
    if (demand.scarce().isEmpty()) {
      return true;
    }
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
    podsOffered = Set.of();
    offered = candidates.stream().mapToInt(VictimCandidate::devices).sum();
  }

  private static boolean yields(Due due, Demand demand) {
    return due.workload().priority() <= demand.priority();
  }
}
