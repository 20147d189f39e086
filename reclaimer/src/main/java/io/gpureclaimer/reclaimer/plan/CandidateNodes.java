package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Demand.Target;
import io.gpureclaimer.reclaimer.plan.UnitVictims.ServedPod;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The devices of each resource on the nodes in a planning. Confined to one planning. */
final class CandidateNodes {
  /** So that the search for a large group ends in time. */
  private static final int MOST_TRIES = 12;

  private static final int MOST_TRIES_IN_ALL = 120;
  private static final int MOST_NODES_IN_FULL = 64;
  private static final int MOST_PLACEMENTS = 1_000;

  /** In addition to as many nodes as a unit has members. */
  private static final int SPARE_NODES = 4;

  /** By node, then by resource. */
  private final Map<String, Map<String, CandidateNode>> byName;

  /** What a victim costs: its expected loss, or a little more. */
  private final ToLongFunction<Due> cost;

  private final Comparator<Due> largestCostFirst;

  private final SchedulingRules rules;

  /** What the nodes were before the search for a unit changed them. */
  private Optional<Map<CandidateNode, CandidateNode.NodePlanState>> undo = Optional.empty();

  /** The only nodes in the search for a unit, by placement. */
  private Optional<Map<Target, List<CandidateNode>>> shortlist = Optional.empty();

  /** Answers that hold while no node changes. */
  private final Map<BestNodesKey, List<CandidateNode>> bestNodes = new HashMap<>();

  /** Tries left in this planning; the first units are those of the highest priority. */
  private int triesLeft = MOST_TRIES_IN_ALL;

  /** Asked of each node once, because pending pods have few different targets. */
  private final Map<Target, List<CandidateNode>> suitable = new HashMap<>();

  CandidateNodes(ClusterView cluster, ToLongFunction<Due> cost) {
    this.cost = cost;
    largestCostFirst =
        Comparator.comparingLong(cost).reversed().thenComparing(due -> due.workload().uid());
    byName = HashMap.newHashMap(cluster.nodes().size());
    rules = new SchedulingRules(cluster.scheduling().neighbors());
    Map<String, Map<String, Integer>> claimed = claimed(cluster);
    for (NodeView view : cluster.nodes()) {
      Map<String, CandidateNode> byResource = HashMap.newHashMap(view.devices().size());
      for (var devices : List.of(view.devices(), claimed.getOrDefault(view.name(), Map.of()))) {
        devices.forEach(
            (each, count) ->
                byResource.put(each, new CandidateNode(view, each, count, cost, rules)));
      }
      byName.put(view.name(), byResource);
    }
    for (PodView pod : cluster.pods()) {
      if (pod.holdsGpus()) {
        on(pod, node -> node.hold(pod));
      }
    }
  }

  /** By node, what its pods hold by claims. What else is free is not known, so nothing is. */
  private static Map<String, Map<String, Integer>> claimed(ClusterView cluster) {
    Map<String, Map<String, Integer>> held = new HashMap<>();
    for (PodView pod : cluster.pods()) {
      Map<String, Integer> requested = pod.accelerators().requestedByClaims();
      if (pod.holdsGpus() && pod.node().isPresent() && !requested.isEmpty()) {
        Map<String, Integer> here = held.computeIfAbsent(pod.node().get(), _ -> new HashMap<>());
        requested.forEach((each, count) -> here.merge(each, count, Integer::sum));
      }
    }
    return held;
  }

  /** Frees the devices that a workload holds, on all its nodes. */
  void free(Workload workload) {
    workload.pods().stream()
        .filter(PodView::holdsGpus)
        .forEach(pod -> on(pod, node -> node.release(pod)));
    if (undo.isEmpty()) {
      rules.remove(workload);
    }
  }

  /** Takes devices for a pending pod that will run on the node. */
  void reserve(Demand demand, String node) {
    named(node, demand.resource()).ifPresent(each -> each.take(demand.count()));
    rules.place(demand.pod(), node);
  }

  /** Offers a workload as a victim on every node where it holds devices. */
  void offer(Due due) {
    Set<CandidateNode> holding = new HashSet<>();
    for (PodView pod : due.workload().pods()) {
      if (pod.holdsGpus() && pod.node().isPresent()) {
        all(pod.node().get()).stream()
            .filter(node -> pod.accelerators().count(node.resource()) > 0)
            .forEach(holding::add);
      }
    }
    holding.forEach(node -> node.offer(due));
  }

  private void on(PodView pod, Consumer<CandidateNode> what) {
    pod.node().ifPresent(name -> all(name).forEach(node -> change(node, what)));
  }

  /** A node by each of its resources. */
  private Collection<CandidateNode> all(String node) {
    return byName.getOrDefault(node, Map.of()).values();
  }

  private void change(CandidateNode node, Consumer<CandidateNode> what) {
    undo.ifPresentOrElse(
        states -> states.computeIfAbsent(node, CandidateNode::state), bestNodes::clear);
    what.accept(node);
  }

  Optional<CandidateNode> named(String node, String resource) {
    return Optional.ofNullable(byName.getOrDefault(node, Map.of()).get(resource));
  }

  /** Withdraws these victims from all nodes. */
  void withdraw(Predicate<Due> which) {
    byName.values().forEach(all -> all.values().forEach(node -> node.withdraw(which)));
    bestNodes.clear();
  }

  /**
   * The best victims for all members of a unit; empty if one of them could not run.
   *
   * <p>For a single pod they are the best of all. For several, members are placed one after the
   * other or in blocks on one node, each time where a GPU costs least. A victim without which all
   * fit is given back, the largest cost first. The best that is found so is improved by searching
   * without its victims, one at a time.
   *
   * @param most how many victims there may be, if that suffices; otherwise they are as few as are
   *     found
   */
  Optional<UnitVictims> best(PendingUnit unit, int most) {
    if (unit.members().size() == 1) {
      Demand single = unit.members().getFirst();
      return best(single, most)
          .map(
              best -> new UnitVictims(List.of(new ServedPod(single, best.node())), best.victims()));
    }
    var before = new NodesSnapshot();
    shortlist = Optional.of(shortlisted(unit, most));
    Optional<UnitVictims> best =
        found(unit, most, Optional.empty(), before)
            .or(() -> whatIsLeftOf(unit, before))
            .map(first -> improved(first, unit, most, before));
    before.end();
    return best.filter(this::isAllowed);
  }

  /** Whether rules between pods matter for a pending pod. */
  boolean isRestricted(Demand demand) {
    return rules.concern(demand);
  }

  /** Whether rules of pods that run allow all members. */
  private boolean isAllowed(UnitVictims found) {
    List<Workload> gone = found.victims().stream().map(Due::workload).toList();
    return found.served().stream()
        .allMatch(
            each ->
                named(each.node(), each.demand().resource())
                    .filter(node -> rules.allow(each.demand(), node.view(), gone))
                    .isPresent());
  }

  /**
   * The nodes that are best for any number of members together: so many members use at most so many
   * nodes.
   */
  private Map<Target, List<CandidateNode>> shortlisted(PendingUnit unit, int most) {
    Map<Target, List<CandidateNode>> byTarget = new HashMap<>();
    for (Target target : unit.members().stream().map(Demand::target).distinct().toList()) {
      List<CandidateNode> all = suitable(target);
      byTarget.put(target, all.size() <= MOST_NODES_IN_FULL ? all : best(all, target, unit, most));
    }
    return byTarget;
  }

  private List<CandidateNode> best(
      List<CandidateNode> all, Target target, PendingUnit unit, int most) {
    int largest = all.stream().mapToInt(CandidateNode::capacity).max().orElse(0);
    int count = unit.members().size() + SPARE_NODES;
    Set<CandidateNode> chosen = new HashSet<>();
    for (Demand together : unit.together(target, largest)) {
      for (int limit : most == 0 ? List.of(0) : List.of(most, 0)) {
        chosen.addAll(
            bestNodes.computeIfAbsent(
                new BestNodesKey(target, together.count(), together.priority(), limit, count),
                _ -> best(all, together, limit, count)));
      }
    }
    return all.stream().filter(chosen::contains).toList();
  }

  private static List<CandidateNode> best(
      List<CandidateNode> all, Demand together, int limit, int count) {
    Comparator<BestOnNode> order =
        Comparator.comparing(BestOnNode::victims, VictimSet.order(limit));
    var kept = new PriorityQueue<BestOnNode>(order.reversed());
    for (CandidateNode node : all) {
      node.victims(together, limit)
          .map(victims -> new BestOnNode(node, victims))
          .filter(one -> kept.size() < count || order.compare(one, kept.element()) < 0)
          .ifPresent(kept::add);
      if (kept.size() > count) {
        kept.remove();
      }
    }
    return kept.stream().map(BestOnNode::node).toList();
  }

  /** Inputs of the best nodes, while no node changes. */
  private record BestNodesKey(Target target, int devices, int priority, int most, int count) {}

  private record BestOnNode(CandidateNode node, VictimSet victims) {}

  /** The best of several searches, without some of the workloads. */
  private Optional<UnitVictims> found(
      PendingUnit unit, int most, Optional<Due> spared, NodesSnapshot before) {
    List<UnitVictims> found = new ArrayList<>();
    for (PlacementSearch search : PlacementSearch.all(most)) {
      before.restore();
      spared.ifPresent(this::withdraw);
      allOf(unit, search).map(before::withoutNeedless).ifPresent(found::add);
    }
    return found.stream().min(order(most));
  }

  /** Searches again without one of the victims each time, the largest cost first. */
  private UnitVictims improved(
      UnitVictims first, PendingUnit unit, int most, NodesSnapshot before) {
    UnitVictims best = first;
    var spared = new HashSet<String>();
    Optional<Due> next = largestCost(best, spared);
    for (int tries = 0; tries < MOST_TRIES && triesLeft > 0 && next.isPresent(); tries++) {
      triesLeft--;
      spared.add(next.get().workload().uid());
      UnitVictims known = best;
      best =
          found(unit, most, next, before)
              .filter(other -> order(most).compare(other, known) < 0)
              .orElse(known);
      next = largestCost(best, spared);
    }
    return best;
  }

  private Optional<Due> largestCost(UnitVictims unit, Set<String> spared) {
    return unit.victims().stream()
        .filter(due -> !spared.contains(due.workload().uid()))
        .min(largestCostFirst);
  }

  /** As {@link VictimSet#order}, without the surplus. */
  private Comparator<UnitVictims> order(int most) {
    return Comparator.<UnitVictims>comparingInt(
            unit -> VictimSet.excess(unit.victims().size(), most))
        .thenComparingLong(unit -> unit.victims().stream().mapToLong(cost).sum())
        .thenComparingInt(unit -> unit.victims().size());
  }

  /**
   * Begins with all victims, and gives back those without which all members fit; for a unit that
   * fits only if it is placed as tightly as possible. Not tried in a large cluster, where a unit
   * that was not placed otherwise cannot be.
   */
  private Optional<UnitVictims> whatIsLeftOf(PendingUnit unit, NodesSnapshot before) {
    before.restore();
    List<CandidateNode> nodes =
        unit.members().stream()
            .map(Demand::target)
            .distinct()
            .flatMap(target -> suitable(target).stream())
            .distinct()
            .toList();
    if (nodes.size() > MOST_NODES_IN_FULL) {
      return Optional.empty();
    }
    List<Due> all =
        nodes.stream()
            .flatMap(CandidateNode::offered)
            .filter(due -> due.workload().priority() <= unit.priority())
            .collect(
                Collectors.toMap(
                    due -> due.workload().uid(), due -> due, (one, _) -> one, TreeMap::new))
            .values()
            .stream()
            .toList();
    return before
        .fit(unit.members(), nodes, all)
        .or(() -> before.fitTightly(unit.members(), nodes, all))
        .map(served -> before.withoutNeedless(new UnitVictims(served, all), nodes));
  }

  /**
   * The best victims for as many of these demands, which are alike, as cost least for a device, all
   * on one node; empty if none of them could run.
   */
  Optional<UnitVictims> bestPart(List<Demand> alike, int most) {
    return bestBlock(alike, new PlacementSearch(Integer.MAX_VALUE, most))
        .map(MembersOnNode::unitVictims);
  }

  /** How many blocks of so many free devices there are, each on one node. */
  int freeBlocks(Target target, int devices) {
    return suitable(target).stream().mapToInt(node -> node.freeBlocks(devices)).sum();
  }

  /** The same of whole GPUs on one node, even if it accepts no pods. */
  int freeBlocksOn(NodeView node, int gpus) {
    return named(node.name(), ResourceNames.GPU)
        .map(candidate -> candidate.freeBlocks(gpus))
        .orElse(0);
  }

  /** Takes the free blocks of a floor, up to all. */
  void takeFree(Target target, FreeGpuFloor floor) {
    int left = floor.blocks();
    for (CandidateNode node : suitable(target)) {
      int blocks = Math.min(left, node.freeBlocks(floor.gpus()));
      if (blocks > 0) {
        change(node, it -> it.take(blocks * floor.gpus()));
        left -= blocks;
      }
    }
  }

  private Optional<VictimSet> best(Demand demand, int most) {
    return shortlist
        .map(listed -> listed.getOrDefault(demand.target(), List.of()))
        .orElseGet(() -> suitable(demand.target()))
        .stream()
        .flatMap(node -> node.victims(demand, most).stream())
        .min(VictimSet.order(most));
  }

  /**
   * Search for a placement of the members of a unit.
   *
   * @param longest how many of them are placed on one node at once at most
   * @param most how many victims one placement may have, if that suffices
   */
  private record PlacementSearch(int longest, int most) {
    static List<PlacementSearch> all(int most) {
      return List.of(
          new PlacementSearch(1, most),
          new PlacementSearch(Integer.MAX_VALUE, most),
          new PlacementSearch(1, 0));
    }
  }

  private Optional<UnitVictims> allOf(PendingUnit unit, PlacementSearch search) {
    List<ServedPod> served = new ArrayList<>();
    List<Due> victims = new ArrayList<>();
    List<Demand> left = unit.members();
    while (!left.isEmpty()) {
      Optional<MembersOnNode> best = bestBlock(left, search);
      if (best.isEmpty()) {
        return Optional.empty();
      }
      UnitVictims one = best.get().unitVictims();
      promise(one);
      served.addAll(one.served());
      victims.addAll(one.victims());
      left = left.subList(best.get().members().size(), left.size());
    }
    return Optional.of(new UnitVictims(served, victims));
  }

  /** Of the first members, as many on one node as costs least for a device. */
  private Optional<MembersOnNode> bestBlock(List<Demand> left, PlacementSearch search) {
    List<MembersOnNode> blocks = new ArrayList<>();
    Demand first = left.getFirst();
    int devices = 0;
    for (int count = 1; count <= left.size() && count <= search.longest(); count++) {
      Demand last = left.get(count - 1);
      if (!last.target().equals(first.target()) || last.priority() != first.priority()) {
        break;
      }
      devices += last.count();
      Optional<VictimSet> victims = best(first.together(devices), search.most());
      if (victims.isEmpty()) {
        break;
      }
      blocks.add(new MembersOnNode(left.subList(0, count), devices, victims.get()));
    }
    return blocks.stream().min(MembersOnNode.order(search.most()));
  }

  /**
   * Members of a unit on one node.
   *
   * @param devices of all of them
   */
  private record MembersOnNode(List<Demand> members, int devices, VictimSet victims) {

    /** Least cost for a device first; of equal ones the largest. */
    static Comparator<MembersOnNode> order(int most) {
      return Comparator.<MembersOnNode>comparingInt(
              block -> VictimSet.excess(block.victims().victims().size(), most))
          .thenComparing(MembersOnNode::compareCost)
          .thenComparing(Comparator.comparingInt(MembersOnNode::devices).reversed())
          .thenComparing(MembersOnNode::victims, VictimSet.order(most));
    }

    private static int compareCost(MembersOnNode one, MembersOnNode other) {
      return Long.compare(
          one.victims().cost() * other.devices(), other.victims().cost() * one.devices());
    }

    UnitVictims unitVictims() {
      return new UnitVictims(
          members.stream().map(member -> new ServedPod(member, victims.node())).toList(),
          victims.victims());
    }
  }

  /** Frees what the victims hold, and takes what is served. They are victims of no other. */
  void promise(UnitVictims best) {
    for (ServedPod each : best.served()) {
      named(each.node(), each.demand().resource())
          .ifPresent(node -> change(node, it -> it.take(each.demand().count())));
      if (undo.isEmpty()) {
        rules.place(each.demand().pod(), each.node());
      }
    }
    best.victims()
        .forEach(
            due -> {
              free(due.workload());
              withdraw(due);
            });
  }

  private void withdraw(Due victim) {
    victim.workload().pods().stream()
        .flatMap(pod -> pod.node().stream())
        .distinct()
        .flatMap(name -> all(name).stream())
        .forEach(
            node ->
                change(
                    node,
                    it ->
                        it.withdraw(due -> due.workload().uid().equals(victim.workload().uid()))));
  }

  /** Snapshot of the nodes, by later changes. Confined to one search. */
  private final class NodesSnapshot {
    private final Map<CandidateNode, CandidateNode.NodePlanState> states = new HashMap<>();

    NodesSnapshot() {
      undo = Optional.of(states);
    }

    void restore() {
      states.forEach((node, state) -> node.restore(state));
      states.clear();
    }

    void end() {
      restore();
      undo = Optional.empty();
      shortlist = Optional.empty();
    }

    /** The same members, on the same nodes, with as few of the victims as possible. */
    UnitVictims withoutNeedless(UnitVictims found) {
      return withoutNeedless(
          found,
          found.served().stream()
              .flatMap(each -> named(each.node(), each.demand().resource()).stream())
              .distinct()
              .toList());
    }

    UnitVictims withoutNeedless(UnitVictims found, List<CandidateNode> nodes) {
      List<Demand> members = found.served().stream().map(ServedPod::demand).toList();
      UnitVictims smallest = found;
      for (Due each : found.victims().stream().sorted(largestCostFirst).toList()) {
        List<Due> fewer =
            smallest.victims().stream()
                .filter(due -> !due.workload().uid().equals(each.workload().uid()))
                .toList();
        smallest =
            fit(members, nodes, fewer)
                .map(served -> new UnitVictims(served, fewer))
                .orElse(smallest);
      }
      return smallest;
    }

    /** Each member on the fullest of the nodes that has enough free devices. */
    Optional<List<ServedPod>> fit(
        List<Demand> members, List<CandidateNode> nodes, List<Due> freed) {
      restore();
      freed.forEach(due -> free(due.workload()));
      List<ServedPod> again = new ArrayList<>();
      for (Demand member : members) {
        Optional<CandidateNode> fullest =
            nodes.stream()
                .filter(node -> node.free() >= member.count() && node.suits(member.target()))
                .min(Comparator.comparingInt(CandidateNode::free));
        if (fullest.isEmpty()) {
          return Optional.empty();
        }
        change(fullest.get(), node -> node.take(member.count()));
        again.add(new ServedPod(member, fullest.get().name()));
      }
      return Optional.of(again);
    }

    /** The same, with other nodes for members that leave too little for the following ones. */
    Optional<List<ServedPod>> fitTightly(
        List<Demand> members, List<CandidateNode> nodes, List<Due> freed) {
      restore();
      freed.forEach(due -> free(due.workload()));
      List<ServedPod> placed = new ArrayList<>();
      return place(members, nodes, placed, new AtomicInteger(MOST_PLACEMENTS))
          ? Optional.of(placed)
          : Optional.empty();
    }

    private boolean place(
        List<Demand> members,
        List<CandidateNode> nodes,
        List<ServedPod> placed,
        AtomicInteger left) {
      if (placed.size() == members.size()) {
        return true;
      }
      Demand member = members.get(placed.size());
      for (CandidateNode node : nodes) {
        if (node.free() >= member.count()
            && node.suits(member.target())
            && left.getAndDecrement() > 0) {
          change(node, it -> it.take(member.count()));
          placed.add(new ServedPod(member, node.name()));
          if (place(members, nodes, placed, left)) {
            return true;
          }
          placed.removeLast();
          change(node, it -> it.take(-member.count()));
        }
      }
      return false;
    }
  }

  private List<CandidateNode> suitable(Target target) {
    return suitable.computeIfAbsent(
        target,
        wanted ->
            byName.values().stream()
                .flatMap(all -> Optional.ofNullable(all.get(wanted.resource())).stream())
                .filter(CandidateNode::offersAnything)
                .filter(node -> node.suits(wanted))
                .toList());
  }
}
