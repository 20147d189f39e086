package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Fragmentation.GpuPool;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Proposals to move workloads to other nodes, by which fewer free GPUs and MIG devices are
 * fragmented, as {@link Fragmentation} measures it. For people who plan: nothing acts on them.
 *
 * <p>Each proposal leaves one node, completely or in part, by workloads with devices of one kind.
 * The search is greedy: the proposal that lowers the fragmentation by most for each moved device
 * comes first, those of idle workloads before all others. What a move changes for other kinds of
 * devices on these nodes counts as well, because pods share the rest of the node. A pod moves only
 * to a node that has enough left of all that it requests. Pods with rules about other pods, several
 * kinds of devices or claims stay.
 *
 * @param totals of all pools, by the kind of devices, see {@link NodeView#unsharedDevices}
 * @param isComplete whether the search came to its end; otherwise there may be more proposals
 */
public record Defragmentation(
    SortedMap<String, Total> totals, List<Proposal> proposals, boolean isComplete) {
  /** How many placements are tried. */
  public static final int MOST_PLACEMENTS = 2_000_000;

  private static final double LEAST_GAIN = 1e-9;

  public Defragmentation {
    proposals = List.copyOf(proposals);
  }

  /**
   * Devices of one kind.
   *
   * @param free those that no pod holds
   * @param before how many of them are fragmented now
   * @param after how many would be after all proposals
   */
  public record Total(int free, double before, double after) {}

  /** Of whole GPUs. */
  public Total gpus() {
    return totals.getOrDefault(ResourceNames.GPU, new Total(0, 0, 0));
  }

  /**
   * Workloads that leave a node, in this order.
   *
   * @param pool of the node
   * @param kind of the devices that the workloads hold
   * @param fragmented by how many the number of fragmented devices falls, by kind; only kinds of
   *     which it changes
   * @param wholeNode whether no device of the node is allocated any longer
   * @param fits how many more pods of each number of devices fit into the pool, if their other
   *     requests are the most frequent ones; only those of which more do
   */
  public record Proposal(
      String node,
      String pool,
      String kind,
      List<Move> moves,
      SortedMap<String, Double> fragmented,
      boolean wholeNode,
      SortedMap<Integer, Integer> fits) {
    public Proposal {
      moves = List.copyOf(moves);
    }
  }

  /**
   * A move of one workload.
   *
   * @param verdict on the workload
   * @param devices how many it holds
   * @param to where its pods fit, in the order of their names
   */
  public record Move(Verdict verdict, int devices, List<String> to) {
    public Move {
      to = List.copyOf(to);
    }

    /** Which workload. */
    public Workload workload() {
      return verdict.workload();
    }

    /** Whether a move interrupts no work. */
    public boolean isIdle() {
      return verdict.idleTime().isPresent();
    }
  }

  /** Moves of the workloads whose policy permits actions, in a cluster. */
  public static Defragmentation of(ClusterView cluster, List<Judgment> judgments) {
    return of(cluster, judgments, MOST_PLACEMENTS);
  }

  /**
   * The same.
   *
   * @param most how many placements are tried
   */
  static Defragmentation of(ClusterView cluster, List<Judgment> judgments, int most) {
    Map<String, List<MovedNode>> nodes = new HashMap<>();
    List<PoolNodes> pools =
        Fragmentation.pools(cluster).stream().map(pool -> new PoolNodes(pool, nodes)).toList();
    SortedMap<String, Total> before = totals(pools);
    Set<String> ruled =
        cluster.scheduling().neighbors().placed().stream()
            .filter(pod -> !pod.rules().isEmpty())
            .map(Neighbor::uid)
            .collect(Collectors.toSet());
    for (Judgment judgment : judgments) {
      Candidate.of(judgment)
          .filter(each -> each.pods().stream().noneMatch(pod -> ruled.contains(pod.ref().uid())))
          .ifPresent(
              candidate ->
                  nodes.getOrDefault(candidate.from(), List.of()).stream()
                      .filter(node -> node.pool.kind.equals(candidate.kind()))
                      .forEach(node -> node.candidates.add(candidate)));
    }
    var search = new Search(most);
    List<Proposal> proposals = new ArrayList<>();
    for (boolean onlyIdle : List.of(true, false)) {
      pools.forEach(pool -> search.run(pool, onlyIdle, proposals));
    }
    SortedMap<String, Total> totals = totals(pools);
    totals.replaceAll(
        (kind, after) ->
            new Total(after.free(), before.getOrDefault(kind, after).before(), after.before()));
    return new Defragmentation(totals, proposals, search.left > 0);
  }

  /** As if nothing were moved. */
  private static SortedMap<String, Total> totals(List<PoolNodes> pools) {
    SortedMap<String, Total> totals = new TreeMap<>();
    for (PoolNodes pool : pools) {
      double fragmented = pool.fragmented();
      totals.merge(
          pool.kind,
          new Total(pool.free(), fragmented, fragmented),
          (one, other) ->
              new Total(
                  one.free() + other.free(),
                  one.before() + other.before(),
                  one.after() + other.after()));
    }
    return totals;
  }

  /**
   * A workload that may be moved: its policy permits actions, its activity is known, and all its
   * devices are of one kind and of one node.
   *
   * @param pods the largest first
   */
  private record Candidate(Verdict verdict, String from, String kind, List<PodView> pods) {
    static final Comparator<Candidate> ORDER =
        Comparator.comparing((Candidate each) -> !each.isIdle())
            .thenComparingInt(Candidate::devices)
            .thenComparing(each -> each.verdict().workload().uid());

    static Optional<Candidate> of(Judgment judgment) {
      Verdict verdict = judgment.verdict();
      boolean isPermitted =
          judgment.policy().filter(policy -> policy.mode().value().acts()).isPresent()
              && mayMove(verdict);
      List<PodView> pods = verdict.workload().pods();
      boolean isOnOneNode = pods.stream().map(PodView::node).distinct().count() == 1;
      Set<String> kinds =
          pods.stream()
              .flatMap(pod -> pod.accelerators().kinds().stream())
              .collect(Collectors.toSet());
      return isPermitted
              && isOnOneNode
              && kinds.size() == 1
              && !verdict.workload().isPartial()
              && pods.stream().allMatch(Candidate::isMovable)
          ? pods.getFirst()
              .node()
              .map(
                  node ->
                      new Candidate(
                          verdict,
                          node,
                          kinds.iterator().next(),
                          pods.stream()
                              .sorted(
                                  Comparator.comparingInt(Candidate::devicesOf)
                                      .reversed()
                                      .thenComparing(pod -> pod.ref().name()))
                              .toList()))
          : Optional.empty();
    }

    private static boolean mayMove(Verdict verdict) {
      return switch (verdict) {
        case Verdict.Watching _,
            Verdict.ToWarn _,
            Verdict.Warned _,
            Verdict.Due _,
            Verdict.Active _,
            Verdict.Vetoed _ ->
            true;
        case Verdict.Protected _,
            Verdict.NotRunning _,
            Verdict.Starting _,
            Verdict.Unknown _,
            Verdict.Reported _,
            Verdict.Notified _,
            Verdict.ToWithdraw _ ->
            false;
      };
    }

    private static boolean isMovable(PodView pod) {
      return pod.holdsGpus()
          && !pod.terminating()
          && pod.accelerators().isCounted()
          && !pod.accelerators().mayHoldClaims()
          && pod.accelerators().requestedByClaims().isEmpty()
          && !pod.placement().constrainedFurther();
    }

    boolean isIdle() {
      return verdict.idleTime().isPresent();
    }

    int devices() {
      return pods.stream().mapToInt(Candidate::devicesOf).sum();
    }

    static int devicesOf(PodView pod) {
      return pod.accelerators().devices();
    }
  }

  /** The devices of one kind of a node. Confined to one search. */
  private static final class MovedNode {
    /** The least fragmented first, because most pods fit there. */
    private static final Comparator<MovedNode> ORDER =
        Comparator.comparingDouble((MovedNode node) -> node.now.fragmented())
            .thenComparing(MovedNode::name);

    private final PoolNodes pool;

    /** All kinds of devices of the node, this one included. */
    private final List<MovedNode> kinds;

    private final List<Candidate> candidates = new ArrayList<>();
    private MeasuredRoom now;
    private boolean isLeft;

    MovedNode(PoolNodes pool, List<MovedNode> kinds, MeasuredRoom now) {
      this.pool = pool;
      this.kinds = kinds;
      this.now = now;
    }

    String name() {
      return room().view().name();
    }

    NodeRoom room() {
      return now.room();
    }

    /** Whether workloads with devices of any kind left the node, so that it gets no pod. */
    boolean isLeftByAny() {
      for (MovedNode each : kinds) {
        if (each.isLeft) {
          return true;
        }
      }
      return false;
    }

    /** Whether no pod holds a device of any kind, as far as all kinds are known. */
    boolean isWhole() {
      return kinds.size() == room().view().devices().size()
          && kinds.stream()
              .allMatch(each -> each.room().free() == room().view().count(each.pool.kind));
    }

    /** What one more pod changes. */
    List<Change> with(PodView pod) {
      return changes((room, devices) -> room.less(devices, pod.requests()), pod);
    }

    /** What one pod less changes. */
    List<Change> without(PodView pod) {
      return changes((room, devices) -> room.and(devices, pod.requests()), pod);
    }

    private List<Change> changes(BiFunction<NodeRoom, Integer, NodeRoom> after, PodView pod) {
      List<Change> changes = new ArrayList<>(kinds.size());
      for (MovedNode each : kinds) {
        NodeRoom room = after.apply(each.room(), each == this ? Candidate.devicesOf(pod) : 0);
        changes.add(new Change(each, each.now, each.pool.measure(room)));
      }
      return changes;
    }
  }

  /** A change of what pods leave of a node. */
  private record Change(MovedNode node, MeasuredRoom before, MeasuredRoom after) {

    /** By how many the number of fragmented devices falls. */
    static double gain(List<Change> changes) {
      double gain = 0;
      for (Change each : changes) {
        gain += each.before().fragmented();
      }
      for (Change each : changes) {
        gain -= each.after().fragmented();
      }
      return gain;
    }
  }

  /**
   * What pods leave of a node.
   *
   * @param fragmented how many of its free devices are fragmented
   */
  private record MeasuredRoom(NodeRoom room, double fragmented) {}

  /** The nodes of one pool. Confined to one search. */
  private static final class PoolNodes {
    private final String name;
    private final String kind;
    private final PodClasses classes;
    private final List<MovedNode> nodes = new ArrayList<>();

    /** Nodes on which some pod fits and that were not left, by how many devices are free. */
    private final TreeMap<Integer, TreeSet<MovedNode>> targets = new TreeMap<>();

    /**
     * Those of a pool.
     *
     * @param byName nodes of all pools, to which these are added
     */
    PoolNodes(GpuPool pool, Map<String, List<MovedNode>> byName) {
      name = pool.name();
      kind = pool.kind();
      classes = pool.classes();
      for (NodeRoom room : pool.nodes()) {
        List<MovedNode> kinds = byName.computeIfAbsent(room.view().name(), _ -> new ArrayList<>(1));
        var node = new MovedNode(this, kinds, measure(room));
        kinds.add(node);
        nodes.add(node);
        addTarget(node);
      }
    }

    private void addTarget(MovedNode node) {
      int free = node.room().free();
      if (!node.isLeftByAny() && node.now.fragmented() < free) {
        targets.computeIfAbsent(free, _ -> new TreeSet<>(MovedNode.ORDER)).add(node);
      }
    }

    void change(MovedNode node, MeasuredRoom room) {
      Optional.ofNullable(targets.get(node.room().free())).ifPresent(same -> same.remove(node));
      node.now = room;
      addTarget(node);
    }

    MeasuredRoom measure(NodeRoom room) {
      return new MeasuredRoom(room, classes.fragmented(room));
    }

    double fragmented() {
      return nodes.stream().mapToDouble(node -> node.now.fragmented()).sum();
    }

    int free() {
      return nodes.stream().mapToInt(node -> Math.max(0, node.room().free())).sum();
    }
  }

  /** Search in one pool after the other. */
  private static final class Search {
    private int left;

    Search(int most) {
      left = most;
    }

    /** Proposals that were the best when they were found are tried again before they are taken. */
    void run(PoolNodes pool, boolean onlyIdle, List<Proposal> proposals) {
      var best =
          new PriorityQueue<Trial>(
              Comparator.comparingDouble(Trial::gainForADevice)
                  .reversed()
                  .thenComparing(trial -> trial.node().name()));
      for (MovedNode node : pool.nodes) {
        trial(node, onlyIdle).ifPresent(best::add);
      }
      while (!best.isEmpty() && left > 0) {
        Optional<Trial> again = trial(best.remove().node(), onlyIdle);
        if (again.isEmpty()) {
          continue;
        }
        Trial next = best.peek();
        if (next != null && again.get().gainForADevice() < next.gainForADevice()) {
          best.add(again.get());
        } else {
          proposals.add(take(again.get()));
        }
      }
    }

    /** The best that leaving a node gains; empty if nothing does. */
    private Optional<Trial> trial(MovedNode from, boolean onlyIdle) {
      List<Candidate> candidates =
          from.isLeft
              ? List.of()
              : from.candidates.stream()
                  .filter(each -> !onlyIdle || each.isIdle())
                  .sorted(Candidate.ORDER)
                  .toList();
      Optional<Trial> best = Optional.empty();
      List<Placed> placed = new ArrayList<>();
      double gain = 0;
      for (Candidate candidate : candidates) {
        List<Placed> one = place(candidate, from);
        if (!one.isEmpty()) {
          placed.addAll(one);
          gain += one.stream().mapToDouble(Placed::gain).sum();
          var trial = new Trial(from, List.copyOf(placed), gain);
          if (gain > LEAST_GAIN && best.filter(known -> known.gain() >= trial.gain()).isEmpty()) {
            best = Optional.of(trial);
          }
        }
      }
      placed.reversed().forEach(Placed::undo);
      return best;
    }

    /** All pods of a workload, or none. */
    private List<Placed> place(Candidate candidate, MovedNode from) {
      List<Placed> placed = new ArrayList<>();
      for (PodView pod : candidate.pods()) {
        Optional<MovedNode> target = target(pod, from);
        if (target.isEmpty()) {
          placed.reversed().forEach(Placed::undo);
          return List.of();
        }
        placed.add(Placed.move(candidate, pod, from, target.get()));
      }
      return placed;
    }

    /**
     * Where it increases the fragmentation least, of the first nodes that it fits on for each
     * number of free devices; of equal ones on the fullest.
     */
    private Optional<MovedNode> target(PodView pod, MovedNode from) {
      Optional<MovedNode> best = Optional.empty();
      double least = Double.POSITIVE_INFINITY;
      for (Set<MovedNode> nodes : from.pool.targets.tailMap(Candidate.devicesOf(pod)).values()) {
        for (MovedNode node : nodes) {
          if (left-- <= 0) {
            return Optional.empty();
          }
          if (node != from && fits(pod, node.room())) {
            double more = -Change.gain(node.with(pod));
            if (more < least - LEAST_GAIN) {
              best = Optional.of(node);
              least = more;
            }
            break;
          }
        }
      }
      return best;
    }

    /** Only by the name of the devices that the pod requests. */
    private static boolean fits(PodView pod, NodeRoom node) {
      int devices = Candidate.devicesOf(pod);
      return node.names().stream().anyMatch(name -> pod.accelerators().count(name) == devices)
          && node.fits(devices, pod.requests())
          && node.view().suits(pod.placement());
    }

    private static Proposal take(Trial trial) {
      MovedNode from = trial.node();
      Map<MovedNode, MeasuredRoom> before = new LinkedHashMap<>();
      from.kinds.forEach(each -> before.put(each, each.now));
      trial
          .placed()
          .forEach(placed -> placed.to().kinds.forEach(each -> before.put(each, each.now)));
      from.isLeft = true;
      trial.placed().forEach(Placed::again);
      return new Proposal(
          from.name(),
          from.pool.name,
          from.pool.kind,
          moves(trial.placed()),
          fragmented(before),
          from.isWhole(),
          fits(from.pool, before));
    }

    private static SortedMap<String, Double> fragmented(Map<MovedNode, MeasuredRoom> before) {
      SortedMap<String, Double> fewer = new TreeMap<>();
      before.forEach(
          (node, was) ->
              fewer.merge(node.pool.kind, was.fragmented() - node.now.fragmented(), Double::sum));
      fewer.values().removeIf(change -> Math.abs(change) <= LEAST_GAIN);
      return fewer;
    }

    private static SortedMap<Integer, Integer> fits(
        PoolNodes pool, Map<MovedNode, MeasuredRoom> before) {
      SortedMap<Integer, Integer> more = new TreeMap<>();
      for (int devices : pool.classes.pods().keySet()) {
        int gain = 0;
        for (Map.Entry<MovedNode, MeasuredRoom> each : before.entrySet()) {
          if (each.getKey().pool == pool) {
            gain += pool.classes.fitting(devices, each.getKey().room());
            gain -= pool.classes.fitting(devices, each.getValue().room());
          }
        }
        if (gain > 0) {
          more.put(devices, gain);
        }
      }
      return more;
    }

    private static List<Move> moves(List<Placed> placed) {
      return placed.stream()
          .map(Placed::candidate)
          .distinct()
          .map(
              candidate ->
                  new Move(
                      candidate.verdict(),
                      candidate.devices(),
                      placed.stream()
                          .filter(each -> each.candidate().equals(candidate))
                          .map(each -> each.to().name())
                          .distinct()
                          .collect(Collectors.toCollection(TreeSet::new))
                          .stream()
                          .toList()))
          .toList();
    }
  }

  /**
   * A pod on another node.
   *
   * @param changes of its former node and of its new one
   */
  private record Placed(Candidate candidate, PodView pod, MovedNode to, List<Change> changes) {

    static Placed move(Candidate candidate, PodView pod, MovedNode from, MovedNode to) {
      List<Change> changes = new ArrayList<>(from.without(pod));
      changes.addAll(to.with(pod));
      var placed = new Placed(candidate, pod, to, changes);
      placed.again();
      return placed;
    }

    /** By how many the number of fragmented devices falls. */
    double gain() {
      return Change.gain(changes);
    }

    void undo() {
      changes.forEach(each -> each.node().pool.change(each.node(), each.before()));
    }

    void again() {
      changes.forEach(each -> each.node().pool.change(each.node(), each.after()));
    }
  }

  /** What leaving a node would gain. */
  private record Trial(MovedNode node, List<Placed> placed, double gain) {
    double gainForADevice() {
      return gain / placed.stream().mapToInt(each -> Candidate.devicesOf(each.pod())).sum();
    }
  }
}
