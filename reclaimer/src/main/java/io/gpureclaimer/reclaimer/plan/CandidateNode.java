package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
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
 * The devices of one kind on one node in a planning, or of the kinds that pending pods request
 * together: those that are free, and the workloads with such devices that could be reclaimed.
 * Confined to one planning.
 *
 * <p>Those of terminating pods count as free already. A node that lost devices can be below zero.
 */
final class CandidateNode {
  private final NodeView node;
  private final Set<String> resources;

  /** The same; numbers of devices are in this order. */
  private final String[] kinds;

  private final boolean sharesGpus;

  /** Whether claims alone give devices that pods request by name. */
  private final boolean givesByClaims;

  private final int capacity;
  private final ToLongFunction<Due> cost;
  private final List<VictimCandidate> candidates = new ArrayList<>();

  /** Answers that hold while the candidates do: many pending pods are alike. */
  private final Map<VictimSetKey, Optional<VictimSet>> found = new HashMap<>();

  /** Empty until it is needed. */
  private Set<String> podsOffered = Set.of();

  /** Of which a container of a pod that has started here requests several. */
  private final Set<String> severalAccepted = new HashSet<>();

  private FreeResources others;

  /** Devices that no pod has, by kind; below zero on a node that lost some. */
  private final int[] free;

  /** Devices of all candidates, by kind. */
  private final int[] offered;

  /**
   * A workload that could be reclaimed.
   *
   * @param devices that this would free on the node, of each kind
   * @param priority of its pods
   */
  record VictimCandidate(Due due, Map<String, Integer> devices, int priority) {}

  /** State of a node that planning changes. */
  static final class NodePlanState {
    private final int[] free;
    private final FreeResources others;
    private final List<VictimCandidate> candidates;

    private NodePlanState(int[] free, FreeResources others, List<VictimCandidate> candidates) {
      this.free = free;
      this.others = others;
      this.candidates = candidates;
    }
  }

  /**
   * A node without pods that hold devices.
   *
   * @param resources the kinds
   * @param devices those of each kind, and maybe of further ones
   * @param givesByClaims whether claims alone give some that pods request by name
   * @param requested by pods without devices
   */
  CandidateNode(
      NodeView node,
      Set<String> resources,
      Map<String, Integer> devices,
      boolean givesByClaims,
      Map<String, Long> requested,
      ToLongFunction<Due> cost) {
    this.node = node;
    this.givesByClaims = givesByClaims;
    this.resources = Set.copyOf(resources);
    this.kinds = this.resources.toArray(String[]::new);
    this.sharesGpus = NodeView.sharesGpus(node.labels());
    this.cost = cost;
    this.free = new int[kinds.length];
    this.offered = new int[kinds.length];
    for (int kind = 0; kind < kinds.length; kind++) {
      free[kind] = devices.getOrDefault(kinds[kind], 0);
    }
    this.capacity = free();
    others = new FreeResources(node.allocatable()).less(requested);
  }

  Set<String> resources() {
    return resources;
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

  /** Devices of all kinds that no pod has; below zero on a node that lost some. */
  int free() {
    int sum = 0;
    for (int each : free) {
      sum += each;
    }
    return sum;
  }

  /** Workloads that could be reclaimed. */
  Stream<Due> offered() {
    return candidates.stream().map(VictimCandidate::due);
  }

  boolean suits(Target target) {
    return resources.equals(target.resources())
        && mayGive(target)
        && node.suits(target.placement());
  }

  /** Whether a pod may get its devices, on a node with the same kinds where it may run. */
  boolean mayGive(Target target) {
    return (target.byClaims() || !givesByClaims) && !mayRefuse(target);
  }

  /** Whether its device plugin may refuse several replicas for one container. */
  boolean mayRefuse(Target target) {
    for (String resource : target.several()) {
      boolean mayRefuse =
          resource.equals(ResourceNames.GPU) ? sharesGpus : !severalAccepted.contains(resource);
      if (mayRefuse) {
        return true;
      }
    }
    return false;
  }

  NodePlanState state() {
    return new NodePlanState(free.clone(), others, List.copyOf(candidates));
  }

  void restore(NodePlanState state) {
    System.arraycopy(state.free, 0, free, 0, free.length);
    others = state.others;
    if (candidates.size() != state.candidates.size()) {
      candidates.clear();
      candidates.addAll(state.candidates);
      changed();
    }
  }

  /** A pending pod will run on the node, with devices of these kinds or others. */
  void place(Demand demand) {
    for (int kind = 0; kind < kinds.length; kind++) {
      free[kind] -= demand.countOf(kinds[kind]);
    }
    others = others.less(demand.requests());
  }

  /** Takes that back. */
  void takeBack(Demand demand) {
    for (int kind = 0; kind < kinds.length; kind++) {
      free[kind] += demand.countOf(kinds[kind]);
    }
    others = others.and(demand.requests());
  }

  /** Whether a pending pod can run here without a victim. */
  boolean hasRoomFor(Demand demand) {
    for (int kind = 0; kind < kinds.length; kind++) {
      if (free[kind] < demand.countOf(kinds[kind])) {
        return false;
      }
    }
    return others.cover(demand.requests());
  }

  /** Free devices in blocks, and how many of these leave room for what else the pod requests. */
  FreeBlocks freeBlocks(Demand block) {
    if (!resources.containsAll(block.devices().keySet())) {
      return FreeBlocks.NONE;
    }
    int blocks = Integer.MAX_VALUE;
    for (int kind = 0; kind < kinds.length; kind++) {
      int requested = block.countOf(kinds[kind]);
      if (requested > 0) {
        blocks = Math.min(blocks, Math.max(0, free[kind]) / requested);
      }
    }
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
    if (pod.startedAt().isPresent()) {
      severalAccepted.addAll(pod.accelerators().several());
    }
    if (!pod.terminating()) {
      for (int kind = 0; kind < kinds.length; kind++) {
        free[kind] -= pod.accelerators().count(kinds[kind]);
      }
      others = others.less(pod.requests());
    }
  }

  /** Devices of a workload that will be gone. */
  void release(Workload workload) {
    for (int kind = 0; kind < kinds.length; kind++) {
      free[kind] += workload.heldOn(name(), kinds[kind]);
    }
    others = others.and(workload.requestedOn(name()));
  }

  void offer(Due due) {
    candidates.add(
        new VictimCandidate(
            due,
            MissingResources.byKind(resources, each -> due.workload().heldOn(name(), each)),
            due.workload().priority()));
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
    if (!candidates.isEmpty()) {
      return true;
    }
    for (int each : free) {
      if (each > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * The best victims for a pending pod, whatever rules between pods say. Where enough devices are
   * free, nothing is reclaimed for the sake of other resources.
   */
  Optional<VictimSet> victims(Demand demand, int most) {
    if (lacksMoreThanOffered(demand)) {
      return Optional.empty();
    }
    MissingResources missing = missing(demand);
    if (!missing.lacksDevices() && !missing.others().isEmpty()) {
      return Optional.empty();
    }
    return found.computeIfAbsent(
        new VictimSetKey(missing, demand.priority(), most),
        _ -> VictimSet.best(name(), missing, lesser(demand, missing), most, cost));
  }

  private boolean lacksMoreThanOffered(Demand demand) {
    for (int kind = 0; kind < kinds.length; kind++) {
      if (demand.countOf(kinds[kind]) - free[kind] > offered[kind]) {
        return true;
      }
    }
    return false;
  }

  /** What it has too little of, if it could have enough devices. */
  Set<String> lackedBesideDevices(Demand demand) {
    return lacksMoreThanOffered(demand) ? Set.of() : others.lacking(demand.requests()).keySet();
  }

  private MissingResources missing(Demand demand) {
    return new MissingResources(devicesMissing(demand), others.lacking(demand.requests()));
  }

  private Map<String, Integer> devicesMissing(Demand demand) {
    if (kinds.length == 1) {
      return Map.of(kinds[0], demand.countOf(kinds[0]) - free[0]);
    }
    Map<String, Integer> missing = HashMap.newHashMap(kinds.length);
    for (int kind = 0; kind < kinds.length; kind++) {
      missing.put(kinds[kind], demand.countOf(kinds[kind]) - free[kind]);
    }
    return missing;
  }

  /** The same, of those that the rules of the pod allow, if it has some. */
  Optional<VictimSet> victims(Demand demand, int most, Optional<PodCheck> check) {
    if (check.isEmpty()) {
      return victims(demand, most);
    }
    return lacksMoreThanOffered(demand) || !mayAllow(check.get())
        ? Optional.empty()
        : victims(demand, most).flatMap(best -> allowed(best, demand, most, check.get()));
  }

  private boolean mayAllow(PodCheck check) {
    return check.mayAllow(node, podsOffered());
  }

  /**
   * The same.
   *
   * @param known the best, whatever rules say, of {@link Demand#ofScarce}
   */
  Optional<VictimSet> victims(Demand demand, int most, Optional<PodCheck> check, VictimSet known) {
    if (!others.cover(demand.requests())) {
      return victims(demand, most, check);
    }
    if (check.isEmpty()) {
      return Optional.of(known);
    }
    return mayAllow(check.get()) ? allowed(known, demand, most, check.get()) : Optional.empty();
  }

  /** Where enough devices are free, nothing is reclaimed for the sake of rules. */
  private Optional<VictimSet> allowed(VictimSet best, Demand demand, int most, PodCheck check) {
    if (check.allows(node, uids(best.victims()))) {
      return Optional.of(best);
    }
    if (best.victims().isEmpty()) {
      return Optional.empty();
    }
    MissingResources missing = missing(demand);
    List<VictimCandidate> concerned = new ArrayList<>();
    List<VictimCandidate> others = new ArrayList<>();
    for (VictimCandidate candidate : lesser(demand, missing)) {
      (isConcerned(candidate.due(), check) ? concerned : others).add(candidate);
    }
    return concerned.isEmpty()
        ? Optional.empty()
        : VictimSet.bestAllowed(
            name(),
            missing,
            concerned,
            others,
            most,
            cost,
            victims -> check.allows(node, uids(victims)));
  }

  /** UIDs of the pods of all candidates, on whichever nodes. */
  private Set<String> podsOffered() {
    if (podsOffered.isEmpty() && !candidates.isEmpty()) {
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

  /** Those with devices that are missing, of at most the priority of the pod. */
  private List<VictimCandidate> lesser(Demand demand, MissingResources missing) {
    List<VictimCandidate> lesser = new ArrayList<>();
    for (VictimCandidate candidate : candidates) {
      if (candidate.priority() <= demand.priority()
          && missing.isReducedBy(candidate.devices(), Map.of())) {
        lesser.add(candidate);
      }
    }
    return lesser;
  }

  /** Pod requirements and number of victims. */
  private record VictimSetKey(MissingResources missing, int priority, int most) {}

  private void changed() {
    found.clear();
    podsOffered = Set.of();
    for (int kind = 0; kind < kinds.length; kind++) {
      offered[kind] = 0;
      for (VictimCandidate candidate : candidates) {
        offered[kind] += candidate.devices().getOrDefault(kinds[kind], 0);
      }
    }
  }
}
