package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Fragmentation.Pool;
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
 * all others. CPU and memory of nodes are not read, and pods with rules about other pods stay.
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
   * @param fits how many more pods of each number of GPUs fit into the pool; only those of which
   *     more do
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
    List<Pool> pools = Fragmentation.of(cluster).pools();
    Map<String, PoolNodes> byName = new TreeMap<>();
    pools.forEach(pool -> byName.put(pool.name(), new PoolNodes(pool)));
    Map<String, MovedNode> nodes = new HashMap<>();
    for (NodeView view : cluster.nodes()) {
      PoolNodes pool = byName.get(Fragmentation.poolOf(view));
      if (pool != null && view.accepting() && view.gpus() > 0) {
        nodes.put(view.name(), new MovedNode(view, pool));
      }
    }
    for (PodView pod : cluster.pods()) {
      if (pod.holdsGpus() && pod.gpus() > 0) {
        pod.node().map(nodes::get).ifPresent(node -> node.free -= pod.gpus());
      }
    }
    nodes.values().forEach(node -> node.pool.add(node));
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
      byName.values().forEach(pool -> search.run(pool, onlyIdle, proposals));
    }
    double before = pools.stream().mapToDouble(Defragmentation::fragmented).sum();
    double gain = proposals.stream().mapToDouble(Proposal::fragmented).sum();
    return new Defragmentation(
        pools.stream().mapToInt(Pool::free).sum(),
        before,
        Math.max(0, before - gain),
        proposals,
        search.left > 0);
  }

  private static double fragmented(Pool pool) {
    return pool.pods().isEmpty() ? 0 : pool.fragmented();
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
    private static final Comparator<MovedNode> BY_NAME =
        Comparator.comparing(node -> node.view.name());

    private final NodeView view;
    private final PoolNodes pool;
    private final List<Candidate> candidates = new ArrayList<>();
    private int free;
    private boolean isLeft;

    MovedNode(NodeView view, PoolNodes pool) {
      this.view = view;
      this.pool = pool;
      this.free = view.gpus();
    }
  }

  /** The nodes of one pool, by how many of their GPUs are free. Confined to one search. */
  private static final class PoolNodes {
    private final Pool pool;
    private final double pods;
    private final TreeMap<Integer, TreeSet<MovedNode>> byFree = new TreeMap<>();

    PoolNodes(Pool pool) {
      this.pool = pool;
      this.pods = pool.pods().values().stream().mapToInt(Integer::intValue).sum();
    }

    void add(MovedNode node) {
      byFree.computeIfAbsent(node.free, _ -> new TreeSet<>(MovedNode.BY_NAME)).add(node);
    }

    void change(MovedNode node, int gpus) {
      byFree.getOrDefault(node.free, new TreeSet<>(MovedNode.BY_NAME)).remove(node);
      node.free += gpus;
      add(node);
    }

    /** How many of so many free GPUs of a node are fragmented: the mean over the pool's pods. */
    double fragmented(int free) {
      double sum = 0;
      for (int count : pool.pods().tailMap(free + 1).values()) {
        sum += count / pods * free;
      }
      return free > 0 ? sum : 0;
    }

    List<MovedNode> nodes() {
      return byFree.values().stream().flatMap(TreeSet::stream).toList();
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
                  .thenComparing(trial -> trial.node().view.name()));
      for (MovedNode node : pool.nodes()) {
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

    /** Where it increases the fragmentation least; of equal ones on the fullest. */
    private Optional<MovedNode> target(PodView pod, MovedNode from) {
      Optional<MovedNode> best = Optional.empty();
      double least = Double.POSITIVE_INFINITY;
      PoolNodes pool = from.pool;
      for (Map.Entry<Integer, TreeSet<MovedNode>> each :
          pool.byFree.tailMap(pod.gpus()).entrySet()) {
        int free = each.getKey();
        double more = pool.fragmented(free - pod.gpus()) - pool.fragmented(free);
        if (more < least - LEAST_GAIN) {
          for (MovedNode node : each.getValue()) {
            if (left-- <= 0) {
              return Optional.empty();
            }
            if (node != from && !node.isLeft && node.view.suits(pod.placement())) {
              best = Optional.of(node);
              least = more;
              break;
            }
          }
        }
      }
      return best;
    }

    private static Proposal take(Trial trial) {
      MovedNode from = trial.node();
      Map<MovedNode, Integer> before = new HashMap<>();
      before.put(from, from.free);
      trial.placed().forEach(each -> before.put(each.to(), each.to().free));
      trial.placed().forEach(Placed::again);
      from.isLeft = true;
      return new Proposal(
          from.view.name(),
          from.pool.pool.name(),
          moves(trial.placed()),
          trial.gain(),
          from.free == from.view.gpus(),
          fits(from.pool.pool, before));
    }

    private static SortedMap<Integer, Integer> fits(Pool pool, Map<MovedNode, Integer> before) {
      SortedMap<Integer, Integer> more = new TreeMap<>();
      for (int shape : pool.pods().keySet()) {
        int gain = 0;
        for (Map.Entry<MovedNode, Integer> each : before.entrySet()) {
          gain += each.getKey().free / shape - Math.max(0, each.getValue()) / shape;
        }
        if (gain > 0) {
          more.put(shape, gain);
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
                          .map(each -> each.to().view.name())
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
   * @param gain by how many the number of fragmented GPUs falls
   */
  private record Placed(
      Candidate candidate, PodView pod, MovedNode from, MovedNode to, double gain) {

    static Placed move(Candidate candidate, PodView pod, MovedNode from, MovedNode to) {
      PoolNodes pool = from.pool;
      double before = pool.fragmented(from.free) + pool.fragmented(to.free);
      pool.change(from, pod.gpus());
      pool.change(to, -pod.gpus());
      double after = pool.fragmented(from.free) + pool.fragmented(to.free);
      return new Placed(candidate, pod, from, to, before - after);
    }

    void undo() {
      from.pool.change(from, -pod.gpus());
      to.pool.change(to, pod.gpus());
    }

    void again() {
      from.pool.change(from, pod.gpus());
      to.pool.change(to, -pod.gpus());
    }
  }

  /** What leaving a node would gain. */
  private record Trial(MovedNode node, List<Placed> placed, double gain) {
    double gainForAGpu() {
      return gain / placed.stream().mapToInt(each -> each.pod().gpus()).sum();
    }
  }
}
