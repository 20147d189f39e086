package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Fragmentation.GpuPool;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Proposals to move workloads to other nodes, by which fewer free GPUs are fragmented, as {@link
 * Fragmentation} measures it. For people who plan: nothing acts on them.
 *
 * <p>Each proposal leaves one node, completely or in part. The search is greedy: the proposal that
 * lowers the fragmentation by most for each moved GPU comes first, those of idle workloads before
 * all others. A pod moves only to a node that has enough left of all that it requests. Pods with
 * rules about other pods, MIG devices or claims stay.
 *
 * @param free GPUs that no pod holds
 * @param before how many of them are fragmented now
 * @param after how many would be after all proposals
 * @param isComplete whether the search came to its end; otherwise there may be more proposals
 */
public record Defragmentation(
    int free, double before, double after, List<Proposal> proposals, boolean isComplete) {
  /** How many placements are tried. */
  public static final int MOST_PLACEMENTS = 2_000_000;

  private static final double LEAST_GAIN = 1e-9;

  public Defragmentation {
    proposals = List.copyOf(proposals);
  }

  /**
   * Workloads that leave a node, in this order.
   *
   * @param pool of the node
   * @param fragmented by how many the number of fragmented GPUs falls
   * @param wholeNode whether no GPU of the node is allocated any longer
   * @param fits how many more pods of each number of GPUs fit into the pool, if their other
   *     requests are the most frequent ones; only those of which more do
   */
  public record Proposal(
      String node,
      String pool,
      List<Move> moves,
      double fragmented,
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
   * @param gpus that it holds
   * @param to where its pods fit, in the order of their names
   */
  public record Move(Verdict verdict, int gpus, List<String> to) {
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
    List<PoolNodes> pools =
        Fragmentation.pools(cluster).stream()
            .filter(GpuPool::isOfGpus)
            .map(PoolNodes::new)
            .toList();
    Map<String, MovedNode> nodes = new HashMap<>();
    pools.forEach(pool -> pool.nodes.forEach(node -> nodes.put(node.name(), node)));
    int free = nodes.values().stream().mapToInt(node -> Math.max(0, node.room().free())).sum();
    double before = pools.stream().mapToDouble(PoolNodes::fragmented).sum();
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
                  Optional.ofNullable(nodes.get(candidate.from()))
                      .ifPresent(node -> node.candidates.add(candidate)));
    }
    var search = new Search(most);
    List<Proposal> proposals = new ArrayList<>();
    for (boolean onlyIdle : List.of(true, false)) {
      pools.forEach(pool -> search.run(pool, onlyIdle, proposals));
    }
    double gain = proposals.stream().mapToDouble(Proposal::fragmented).sum();
    return new Defragmentation(
        free, before, Math.max(0, before - gain), proposals, search.left > 0);
  }

  /**
   * A workload that may be moved: its policy permits actions, its activity is known, and all its
   * devices are whole GPUs of one node.
   *
   * @param pods the largest first
   */
  private record Candidate(Verdict verdict, String from, List<PodView> pods) {
    static final Comparator<Candidate> ORDER =
        Comparator.comparing((Candidate each) -> !each.isIdle())
            .thenComparingInt(Candidate::gpus)
            .thenComparing(each -> each.verdict().workload().uid());

    static Optional<Candidate> of(Judgment judgment) {
      Verdict verdict = judgment.verdict();
      boolean isPermitted =
          judgment.policy().filter(policy -> policy.mode().value().acts()).isPresent()
              && mayMove(verdict);
      List<PodView> pods = verdict.workload().pods();
      boolean isOnOneNode = pods.stream().map(PodView::node).distinct().count() == 1;
      return isPermitted
              && isOnOneNode
              && !verdict.workload().isPartial()
              && pods.stream().allMatch(Candidate::isMovable)
          ? pods.getFirst()
              .node()
              .map(
                  node ->
                      new Candidate(
                          verdict,
                          node,
                          pods.stream()
                              .sorted(
                                  Comparator.comparingInt(PodView::gpus)
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
          && pod.accelerators().byResource().keySet().equals(Set.of(ResourceNames.GPU))
          && !pod.placement().constrainedFurther();
    }

    boolean isIdle() {
      return verdict.idleTime().isPresent();
    }

    int gpus() {
      return pods.stream().mapToInt(PodView::gpus).sum();
    }
  }

  /** A node in the search. Confined to one search. */
  private static final class MovedNode {
    /** The least fragmented first, because most pods fit there. */
    private static final Comparator<MovedNode> ORDER =
        Comparator.comparingDouble((MovedNode node) -> node.now.fragmented())
            .thenComparing(MovedNode::name);

    private final PoolNodes pool;
    private final List<Candidate> candidates = new ArrayList<>();
    private MeasuredRoom now;
    private boolean isLeft;

    MovedNode(PoolNodes pool, MeasuredRoom now) {
      this.pool = pool;
      this.now = now;
    }

    String name() {
      return room().view().name();
    }

    NodeRoom room() {
      return now.room();
    }
  }

  /**
   * What pods leave of a node.
   *
   * @param fragmented how many of its free GPUs are fragmented
   */
  private record MeasuredRoom(NodeRoom room, double fragmented) {}

  /** The nodes of one pool. Confined to one search. */
  private static final class PoolNodes {
    private final String name;
    private final PodClasses classes;
    private final List<MovedNode> nodes = new ArrayList<>();

    /** Nodes on which some pod fits and that were not left, by how many of their GPUs are free. */
    private final TreeMap<Integer, TreeSet<MovedNode>> targets = new TreeMap<>();

    PoolNodes(GpuPool pool) {
      name = pool.name();
      classes = pool.classes();
      for (NodeRoom room : pool.nodes()) {
        var node = new MovedNode(this, measure(room));
        nodes.add(node);
        addTarget(node);
      }
    }

    private void addTarget(MovedNode node) {
      int free = node.room().free();
      if (!node.isLeft && node.now.fragmented() < free) {
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
              Comparator.comparingDouble(Trial::gainForAGpu)
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
        if (next != null && again.get().gainForAGpu() < next.gainForAGpu()) {
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
     * number of free GPUs; of equal ones on the fullest.
     */
    private Optional<MovedNode> target(PodView pod, MovedNode from) {
      Optional<MovedNode> best = Optional.empty();
      double least = Double.POSITIVE_INFINITY;
      for (Set<MovedNode> nodes : from.pool.targets.tailMap(pod.gpus()).values()) {
        for (MovedNode node : nodes) {
          if (left-- <= 0) {
            return Optional.empty();
          }
          if (node != from && fits(pod, node.room())) {
            double more = Placed.with(pod, node).fragmented() - node.now.fragmented();
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

    private static boolean fits(PodView pod, NodeRoom node) {
      return node.fits(pod.gpus(), pod.requests()) && node.view().suits(pod.placement());
    }

    private static Proposal take(Trial trial) {
      MovedNode from = trial.node();
      Map<MovedNode, NodeRoom> before = new HashMap<>();
      before.put(from, from.room());
      trial.placed().forEach(each -> before.put(each.to(), each.to().room()));
      from.isLeft = true;
      trial.placed().forEach(Placed::again);
      return new Proposal(
          from.name(),
          from.pool.name,
          moves(trial.placed()),
          trial.gain(),
          from.room().free() == from.room().view().gpus(),
          fits(from.pool.classes, before));
    }

    private static SortedMap<Integer, Integer> fits(
        PodClasses classes, Map<MovedNode, NodeRoom> before) {
      SortedMap<Integer, Integer> more = new TreeMap<>();
      for (int gpus : classes.pods().keySet()) {
        int gain = 0;
        for (Map.Entry<MovedNode, NodeRoom> each : before.entrySet()) {
          gain += classes.fitting(gpus, each.getKey().room());
          gain -= classes.fitting(gpus, each.getValue());
        }
        if (gain > 0) {
          more.put(gpus, gain);
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
                      candidate.gpus(),
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
   * @param fromBefore state of its former node with it
   * @param toBefore state of its new node without it
   * @param fromAfter state of its former node without it
   * @param toAfter state of its new node with it
   */
  private record Placed(
      Candidate candidate,
      PodView pod,
      MovedNode from,
      MovedNode to,
      MeasuredRoom fromBefore,
      MeasuredRoom toBefore,
      MeasuredRoom fromAfter,
      MeasuredRoom toAfter) {

    static Placed move(Candidate candidate, PodView pod, MovedNode from, MovedNode to) {
      var placed =
          new Placed(candidate, pod, from, to, from.now, to.now, without(pod, from), with(pod, to));
      placed.again();
      return placed;
    }

    static MeasuredRoom with(PodView pod, MovedNode node) {
      return node.pool.measure(node.room().less(pod.gpus(), pod.requests()));
    }

    private static MeasuredRoom without(PodView pod, MovedNode node) {
      return node.pool.measure(node.room().and(pod.gpus(), pod.requests()));
    }

    /** By how many the number of fragmented GPUs falls. */
    double gain() {
      return fromBefore.fragmented()
          + toBefore.fragmented()
          - fromAfter.fragmented()
          - toAfter.fragmented();
    }

    void undo() {
      from.pool.change(from, fromBefore);
      to.pool.change(to, toBefore);
    }

    void again() {
      from.pool.change(from, fromAfter);
      to.pool.change(to, toAfter);
    }
  }

  /** What leaving a node would gain. */
  private record Trial(MovedNode node, List<Placed> placed, double gain) {
    double gainForAGpu() {
      return gain / placed.stream().mapToInt(each -> each.pod().gpus()).sum();
    }
  }
}
