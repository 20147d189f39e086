package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.CandidateNode.NodePlanState;
import io.gpureclaimer.reclaimer.plan.Demand.Target;
import io.gpureclaimer.reclaimer.plan.UnitVictims.ServedPod;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The devices of each kind on the nodes in a planning. Confined to one planning. */
final class CandidateNodes {
  /** So that rankings take little memory where each pending pod has another placement. */
  private static final int MOST_RANKINGS = 32;

  /** By node, then by the kinds of devices: each alone, and those that a pod requests together. */
  private final Map<String, Map<Set<String>, CandidateNode>> byName;

  /** The same by those kinds alone, in the same order. */
  private final Map<Set<String>, List<CandidateNode>> byKinds = new HashMap<>();

  private final SchedulingRules rules;
  private final GroupSearch groups;

  /** Nodes that have changed, other than in a search. */
  private final List<CandidateNode> changes = new ArrayList<>();

  /** The last ones that were used. */
  private final LinkedHashMap<RankingKey, NodeRanking> rankings = new LinkedHashMap<>();

  /** Asked of each node once, because pending pods have few different targets. */
  private final Map<Target, List<CandidateNode>> suitable = new HashMap<>();

  /** The same, whether or not replicas, and devices of claims, suffice. */
  private final Map<KindsAndPlacement, List<CandidateNode>> accepting = new HashMap<>();

  /** The same for nodes whose device plugin may refuse the pod. */
  private final Map<Target, Boolean> refusable = new HashMap<>();

  /** By what pending pods need. */
  private final Map<PodShape, ShortNode> shortNodes = new HashMap<>();

  /** Labels that distinguish nodes; asked once, because nodes do not change. */
  private final Map<TargetLabel, Boolean> ofOneNode = new HashMap<>();

  /** By keys of labels. */
  private final Map<List<String>, NodeParts> parts = new HashMap<>();

  /** What the nodes were before the search for a group. */
  private Optional<Map<CandidateNode, NodePlanState>> undo = Optional.empty();

  /** Not in the search for a group without rules about other pods, which it would slow down. */
  private boolean followsRules = true;

  /**
   * Nodes before any workload is offered.
   *
   * @param cost of a victim: its expected loss, or a little more
   */
  CandidateNodes(ClusterView cluster, ToLongFunction<Due> cost) {
    byName = HashMap.newHashMap(cluster.nodes().size());
    rules = new SchedulingRules(cluster.scheduling().neighbors());
    groups = new GroupSearch(this, cost);
    Map<String, Map<String, Integer>> claimed = claimed(cluster);
    Map<String, Map<String, Long>> requested = cluster.scheduling().neighbors().requested();
    Set<Set<String>> together = requestedTogether(cluster);
    for (NodeView view : cluster.nodes()) {
      Map<String, Integer> devices = new HashMap<>(view.devices());
      claimed.getOrDefault(view.name(), Map.of()).forEach(devices::putIfAbsent);
      Map<Set<String>, CandidateNode> ofNode = HashMap.newHashMap(devices.size());
      Stream.concat(devices.keySet().stream().map(Set::of), together.stream())
          .filter(devices.keySet()::containsAll)
          .forEach(
              kinds ->
                  ofNode.put(
                      kinds,
                      new CandidateNode(
                          view,
                          kinds,
                          devices,
                          kinds.stream().anyMatch(each -> isByClaims(each, view)),
                          requested.getOrDefault(view.name(), Map.of()),
                          cost)));
      byName.put(view.name(), ofNode);
    }
    byName
        .values()
        .forEach(
            ofNode ->
                ofNode.forEach(
                    (kinds, node) ->
                        byKinds.computeIfAbsent(kinds, _ -> new ArrayList<>()).add(node)));
    for (PodView pod : cluster.pods()) {
      if (pod.holdsGpus()) {
        on(pod, node -> node.hold(pod));
      }
    }
  }

  private static boolean isByClaims(String resource, NodeView node) {
    return !resource.startsWith(ResourceNames.CLASS_PREFIX)
        && !node.devices().containsKey(resource);
  }

  /** The kinds of each pending pod that requests several. */
  private static Set<Set<String>> requestedTogether(ClusterView cluster) {
    Set<Set<String>> together = new HashSet<>();
    for (PodView pod : cluster.pods()) {
      if (pod.awaitsGpus()) {
        Set<String> kinds = pod.accelerators().byResource().keySet();
        if (kinds.size() > 1) {
          together.add(kinds);
        }
      }
    }
    return together;
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
    if (!held.isEmpty()) {
      cluster.pods().forEach(pod -> removeAllocatedByPlugin(pod, held));
    }
    return held;
  }

  /** GPUs that a pod still has of a device plugin are not known to become those of claims. */
  private static void removeAllocatedByPlugin(PodView pod, Map<String, Map<String, Integer>> held) {
    if (pod.holdsGpus()) {
      Map<String, Integer> byClaims = pod.accelerators().requestedByClaims();
      pod.node()
          .flatMap(node -> Optional.ofNullable(held.get(node)))
          .ifPresent(
              here ->
                  here.keySet()
                      .removeIf(
                          each -> pod.accelerators().count(each) > byClaims.getOrDefault(each, 0)));
    }
  }

  /** Frees the devices that a workload holds, on all its nodes. */
  void free(Workload workload) {
    nodesOf(workload).forEach(node -> change(node, it -> it.release(workload)));
    changeRules(() -> rules.remove(workload));
  }

  private Stream<CandidateNode> nodesOf(Workload workload) {
    return workload.pods().stream()
        .flatMap(pod -> pod.node().stream())
        .distinct()
        .flatMap(name -> all(name).stream());
  }

  /** Takes devices for a pending pod that will run on the node, if that is known. */
  void reserve(Demand demand, String node) {
    if (byName.containsKey(node)) {
      all(node).forEach(each -> change(each, it -> it.place(demand)));
      changeRules(() -> rules.place(demand.pod(), node));
    }
  }

  /** The same. */
  void place(Demand demand, CandidateNode node) {
    reserve(demand, node.name());
  }

  /** Takes that back. */
  void takeBack(Demand demand, CandidateNode node) {
    all(node.name()).forEach(each -> change(each, it -> it.takeBack(demand)));
    changeRules(() -> rules.remove(demand.pod()));
  }

  /** Offers a workload as a victim on every node where it holds devices. */
  void offer(Due due) {
    Set<CandidateNode> holding = new HashSet<>();
    for (PodView pod : due.workload().pods()) {
      if (pod.holdsGpus() && pod.node().isPresent()) {
        all(pod.node().get()).stream()
            .filter(
                node ->
                    node.resources().stream().anyMatch(each -> pod.accelerators().count(each) > 0))
            .forEach(holding::add);
      }
    }
    holding.forEach(node -> node.offer(due));
  }

  private void changeRules(Runnable change) {
    if (followsRules) {
      change.run();
    }
  }

  private void on(PodView pod, Consumer<CandidateNode> what) {
    pod.node().ifPresent(name -> all(name).forEach(node -> change(node, what)));
  }

  /** A node by all that is planned of it. */
  private Collection<CandidateNode> all(String node) {
    return byName.getOrDefault(node, Map.of()).values();
  }

  private void change(CandidateNode node, Consumer<CandidateNode> what) {
    undo.ifPresentOrElse(
        states -> states.computeIfAbsent(node, CandidateNode::state), () -> changes.add(node));
    what.accept(node);
  }

  Optional<CandidateNode> named(String node, Set<String> resources) {
    return Optional.ofNullable(byName.getOrDefault(node, Map.of()).get(resources));
  }

  /** Withdraws these victims from all nodes. */
  void withdraw(Predicate<Due> which) {
    for (Map<Set<String>, CandidateNode> ofNode : byName.values()) {
      for (CandidateNode node : ofNode.values()) {
        if (node.withdraw(which)) {
          changes.add(node);
        }
      }
    }
  }

  /**
   * The best victims for all members of a unit; empty if one of them could not run. For a single
   * pod they are the best of all, for several see {@link GroupSearch}.
   *
   * @param most how many victims there may be, if that suffices; otherwise they are as few as are
   *     found
   */
  Optional<UnitVictims> best(PendingUnit unit, int most) {
    if (unit.members().size() > 1) {
      return groups.best(unit, most);
    }
    Demand single = unit.members().getFirst();
    return ranking(single, most)
        .best(single, rules.check(single))
        .map(best -> new UnitVictims(List.of(new ServedPod(single, best.node())), best.victims()));
  }

  /**
   * The nodes for pods that need the same devices as this one, and as much of what the scheduler
   * says is scarce, by their best victims.
   */
  NodeRanking ranking(Demand demand, int most) {
    var key = RankingKey.of(demand, most);
    NodeRanking ranking =
        Optional.ofNullable(rankings.remove(key))
            .orElseGet(
                () ->
                    new NodeRanking(
                        suitable(demand.target()), demand.ofScarce(), most, changes.size()));
    ranking.follow(changes);
    rankings.put(key, ranking);
    if (rankings.size() > MOST_RANKINGS) {
      rankings.pollFirstEntry();
    }
    return ranking;
  }

  /** What a ranking depends on. */
  private record RankingKey(
      Target target,
      Map<String, Integer> devices,
      int priority,
      Map<String, Long> scarce,
      int most) {
    static RankingKey of(Demand demand, int most) {
      return new RankingKey(
          demand.target(), demand.devices(), demand.priority(), demand.ofScarce().requests(), most);
    }
  }

  /** Whether rules between pods matter for a pending pod. */
  boolean isRestricted(Demand demand) {
    return check(demand).isPresent();
  }

  /** See {@link SchedulingRules#check}. */
  Optional<PodCheck> check(Demand demand) {
    return rules.check(demand);
  }

  /** The best victims for as many of these demands, which are alike, see {@link GroupSearch}. */
  Optional<UnitVictims> bestPart(List<Demand> alike, int most) {
    return groups.bestPart(alike, most);
  }

  /** Such blocks of free devices, each on one node. */
  FreeBlocks freeBlocks(Demand block) {
    return suitable(block.target()).stream()
        .map(node -> node.freeBlocks(block))
        .reduce(FreeBlocks.NONE, FreeBlocks::and);
  }

  /** How many of them count on one node, even if it accepts no pods. */
  int freeBlocksOn(NodeView node, Demand block) {
    return named(node.name(), block.devices().keySet())
        .map(candidate -> candidate.freeBlocks(block).count())
        .orElse(0);
  }

  /** Takes such blocks that are free, up to so many, and says how many more it would take. */
  int takeFree(Demand block, int most) {
    int left = most;
    for (CandidateNode node : suitable(block.target())) {
      int blocks = Math.min(left, node.freeBlocks(block).count());
      for (int taken = 0; taken < blocks; taken++) {
        place(block, node);
      }
      left -= blocks;
    }
    return left;
  }

  /** Frees what the victims hold, and takes what is served. They are victims of no other. */
  void promise(UnitVictims best) {
    best.victims()
        .forEach(
            due -> {
              free(due.workload());
              withdraw(due);
            });
    best.served().forEach(each -> reserve(each.demand(), each.node()));
  }

  /** Withdraws one victim from its nodes. */
  void withdraw(Due victim) {
    nodesOf(victim.workload())
        .forEach(
            node ->
                change(
                    node,
                    it ->
                        it.withdraw(due -> due.workload().uid().equals(victim.workload().uid()))));
  }

  /**
   * What a node has too little of that could have enough devices; empty if there is none. To be
   * asked once all workloads are offered.
   */
  Set<String> lackedBesideDevices(Demand demand) {
    return shortNodes
        .computeIfAbsent(
            new PodShape(demand.target(), demand.devices(), demand.requests()),
            _ -> new ShortNode(demand))
        .lacked();
  }

  /** What pending pods that are alike have in common. */
  private record PodShape(
      Target target, Map<String, Integer> devices, Map<String, Long> requests) {}

  /**
   * A node that could have enough devices for pods that are alike, and has too little of something
   * else. It is looked for once among all nodes, and then among those that have changed.
   */
  private final class ShortNode {
    private final Demand demand;
    private Optional<CandidateNode> found;
    private int followed = changes.size();

    ShortNode(Demand demand) {
      this.demand = demand;
      found = first(suitable(demand.target()));
    }

    Set<String> lacked() {
      if (found.isPresent() && lacked(found.get()).isEmpty()) {
        found = first(suitable(demand.target()));
      } else if (found.isEmpty()) {
        found =
            first(
                changes.subList(followed, changes.size()).stream()
                    .filter(node -> node.suits(demand.target()))
                    .toList());
      }
      followed = changes.size();
      return found.map(this::lacked).orElse(Set.of());
    }

    private Set<String> lacked(CandidateNode node) {
      return node.lackedBesideDevices(demand);
    }

    private Optional<CandidateNode> first(List<CandidateNode> some) {
      for (CandidateNode node : some) {
        if (!lacked(node).isEmpty()) {
          return Optional.of(node);
        }
      }
      return Optional.empty();
    }
  }

  /** Nodes where a pod of the target may be served. */
  List<CandidateNode> suitable(Target target) {
    return suitable.computeIfAbsent(
        target,
        wanted ->
            accepting(wanted).stream()
                .filter(node -> node.offersAnything() && node.mayGive(wanted))
                .toList());
  }

  private List<CandidateNode> accepting(Target target) {
    return accepting.computeIfAbsent(
        new KindsAndPlacement(target.resources(), target.placement()),
        wanted ->
            byKinds.getOrDefault(wanted.kinds(), List.of()).stream()
                .filter(node -> node.view().suits(wanted.placement()))
                .toList());
  }

  /** The part of a target that decides which nodes are asked. */
  private record KindsAndPlacement(Set<String> kinds, Placement placement) {}

  /** Whether a node would suit if its device plugin were known to accept the pod. */
  boolean mayRefuse(Target target) {
    return !target.several().isEmpty()
        && refusable.computeIfAbsent(
            target, wanted -> accepting(wanted).stream().anyMatch(node -> node.mayRefuse(wanted)));
  }

  /** A label of the nodes that are suitable for a target. */
  private record TargetLabel(Target target, String key) {}

  /** Whether a label has more values than half as many as there are suitable nodes. */
  boolean isOfOneNode(Target target, String key) {
    return ofOneNode.computeIfAbsent(
        new TargetLabel(target, key),
        _ -> {
          List<CandidateNode> all = suitable(target);
          long values =
              all.stream()
                  .map(node -> node.view().labels().getOrDefault(key, ""))
                  .distinct()
                  .count();
          return values > all.size() / 2;
        });
  }

  /** The parts of the cluster in which these labels of nodes have the same values. */
  NodeParts parts(List<String> keys) {
    return parts.computeIfAbsent(keys, NodeParts::new);
  }

  /** Nodes by the values of some of their labels. */
  static final class NodeParts {
    private final List<String> keys;
    private final Map<List<Optional<String>>, NodePart> byValues = new HashMap<>();
    private final Map<CandidateNode, NodePart> byNode = new HashMap<>();

    private NodeParts(List<String> keys) {
      this.keys = keys;
    }

    /** The part that a node is in. */
    NodePart of(CandidateNode node) {
      return byNode.computeIfAbsent(
          node, _ -> byValues.computeIfAbsent(valuesOf(node), NodePart::new));
    }

    private List<Optional<String>> valuesOf(CandidateNode node) {
      return keys.stream().map(key -> Optional.ofNullable(node.view().labels().get(key))).toList();
    }
  }

  /** Nodes with the same values of some labels, in the order of these; equal only to itself. */
  static final class NodePart implements Comparable<NodePart> {
    private final String values;

    private NodePart(List<Optional<String>> values) {
      this.values = values.toString();
    }

    @Override
    public int compareTo(NodePart other) {
      return values.compareTo(other.values);
    }
  }

  /**
   * Begins changes that are reverted.
   *
   * @param withRules whether rules between pods matter for them
   */
  PlanSnapshot snapshot(boolean withRules) {
    return new PlanSnapshot(withRules);
  }

  /** State of nodes and rules, by later changes. Confined to one search. */
  final class PlanSnapshot {
    private final Map<CandidateNode, NodePlanState> states = new HashMap<>();
    private int rulesBefore = rules.changes();

    private PlanSnapshot(boolean withRules) {
      undo = Optional.of(states);
      followsRules = withRules;
    }

    /** Reverts all changes. */
    void restore() {
      states.forEach((node, state) -> node.restore(state));
      states.clear();
      rules.undoTo(rulesBefore);
      rulesBefore = rules.changes();
    }

    /** Reverts all changes; later ones stay. */
    void end() {
      restore();
      undo = Optional.empty();
      followsRules = true;
    }
  }
}
