package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.plan.FloorStatus.FloorOutcome;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Beneficiary;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.plan.UnitVictims.ServedPod;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Selects the workloads that are reclaimed to keep GPUs free, after those for pending units. Each
 * missing block counts as a pending pod of priority 0, so a part of a floor is served as well.
 * Confined to one planning.
 */
final class FloorSelection {
  /** The time to choose for all blocks together grows faster than with the square of these. */
  private static final int MOST_TOGETHER = 64;

  private final ActionSelection selection;
  private final PlanInput input;
  private final PlanLimits limits;
  private final CandidateNodes nodes;
  private final BudgetCheck budgets;

  FloorSelection(
      ActionSelection selection,
      PlanInput input,
      PlanLimits limits,
      CandidateNodes nodes,
      BudgetCheck budgets) {
    this.selection = selection;
    this.input = input;
    this.limits = limits;
    this.nodes = nodes;
    this.budgets = budgets;
  }

  /** While the circuit breaker is open. */
  static List<FloorStatus> onHold(PlanInput input, PlanLimits limits) {
    ClusterView cluster = input.cluster();
    return limits.keepFree().stream()
        .map(
            floor -> {
              FloorSearch search =
                  search(floor, input, new CandidateNodes(cluster, ExpectedLoss::of));
              return search
                  .settled()
                  .orElseGet(
                      () ->
                          search.status(
                              Optional.of(since(floor, input)),
                              FloorOutcome.ON_HOLD,
                              search.freeOfAll() + WaitReason.BREAKER_OPEN.sentence()));
            })
        .toList();
  }

  /** Free GPUs that count for this floor count for no later one. */
  FloorStatus keep(FreeGpuFloor floor) {
    FloorSearch search = search(floor, input, nodes);
    Optional<FloorStatus> settled = search.settled();
    if (settled.isPresent()) {
      return settled.get();
    }
    Instant since = since(floor, input);
    if (input.history().leads() && input.now().isBefore(since.plus(limits.pendingGrace()))) {
      return search.status(
          Optional.of(since),
          FloorOutcome.IN_GRACE,
          search.freeOfAll()
              + "workloads are reclaimed once it has been so for "
              + Durations.format(limits.pendingGrace()));
    }
    var serving = new FloorServing(search);
    serving.serve();
    return search.status(Optional.of(since), serving.outcome(), serving.sentence());
  }

  private static Instant since(FreeGpuFloor floor, PlanInput input) {
    return input.history().belowFloor(floor).orElse(input.now());
  }

  private static FloorSearch search(FreeGpuFloor floor, PlanInput input, CandidateNodes nodes) {
    FloorPool pool = FloorPool.of(floor, input.cluster());
    List<Demand> blocks =
        pool.targets().stream()
            .map(target -> Demand.ofFloor(pool, target, 0, input.now()))
            .toList();
    FreeBlocks free = FreeBlocks.NONE;
    int left = floor.blocks();
    for (Demand block : blocks) {
      free = free.and(nodes.freeBlocks(block));
      left = nodes.takeFree(block, left);
    }
    List<NodeView> doubtful =
        pool.doubtful().stream().filter(node -> freeOn(node, pool, blocks, nodes) > 0).toList();
    int doubted = doubtful.stream().mapToInt(node -> freeOn(node, pool, blocks, nodes)).sum();
    return new FloorSearch(pool, blocks, free, doubted, doubtful.stream().findFirst());
  }

  private static int freeOn(
      NodeView node, FloorPool pool, List<Demand> blocks, CandidateNodes nodes) {
    String name = node.nameOf(pool.floor().resource());
    return blocks.stream()
        .filter(block -> block.countOf(name) > 0)
        .mapToInt(block -> nodes.freeBlocksOn(node, block))
        .sum();
  }

  /**
   * A floor and what is free of it.
   *
   * @param blocks the first one, for each name of the devices
   * @param doubted blocks that may be free in addition
   * @param doubtful the first node that has some of those
   */
  private record FloorSearch(
      FloorPool pool,
      List<Demand> blocks,
      FreeBlocks free,
      int doubted,
      Optional<NodeView> doubtful) {

    FreeGpuFloor floor() {
      return pool.floor();
    }

    int missing() {
      return floor().blocks() - free.count() - doubted;
    }

    String freeOfAll() {
      return free.count()
          + " of "
          + floor().blocks()
          + " free"
          + free.stranded(pool.usual())
          + "; ";
    }

    FloorStatus status(Optional<Instant> since, FloorOutcome outcome, String sentence) {
      return new FloorStatus(pool, Optional.of(free), since, outcome, sentence);
    }

    /** Where nothing needs to be reclaimed, or nothing may be. */
    Optional<FloorStatus> settled() {
      if (pool.nodes().isEmpty()) {
        return Optional.of(
            without(
                FloorOutcome.NO_NODES,
                "no node with "
                    + (floor().isOfWholeGpus() ? "whole GPUs" : floor().resource())
                    + " has the model "
                    + floor().model()
                    + " in its label nvidia.com/gpu.product"));
      }
      if (free.count() >= floor().blocks()) {
        return Optional.of(
            status(
                Optional.empty(),
                FloorOutcome.ENOUGH_FREE,
                free.count() + " free" + free.stranded(pool.usual())));
      }
      return doubtful
          .filter(_ -> missing() <= 0)
          .map(
              node ->
                  without(
                      FloorOutcome.UNKNOWN,
                      freeOfAll()
                          + doubted
                          + " more may be: node "
                          + node.name()
                          + (node.unready()
                              ? " is not ready"
                              : " has no label nvidia.com/gpu.product")));
    }

    private FloorStatus without(FloorOutcome outcome, String sentence) {
      return new FloorStatus(pool, Optional.empty(), Optional.empty(), outcome, sentence);
    }
  }

  /** Chooses workloads for one floor. Confined to one planning. */
  private final class FloorServing {
    private final FloorSearch search;
    private final int promised;
    private final Set<String> where = new TreeSet<>();

    /** All that are missing, for each name of the devices. */
    private final List<List<Demand>> missing;

    private int served;
    private int victims;
    private FloorOutcome outcome = FloorOutcome.RECLAIMING;
    private String why = "";

    FloorServing(FloorSearch search) {
      this.search = search;
      this.promised =
          Math.max(0, FloorStatus.freeIn(input.cluster(), search.blocks()) - search.free().count());
      this.missing =
          search.blocks().stream()
              .map(Demand::target)
              .map(
                  target ->
                      IntStream.range(0, search.missing())
                          .mapToObj(
                              block -> Demand.ofFloor(search.pool(), target, block, input.now()))
                          .toList())
              .toList();
    }

    FloorOutcome outcome() {
      return victims > 0 ? FloorOutcome.RECLAIMING : outcome;
    }

    String sentence() {
      String chosen =
          victims == 0
              ? ""
              : "to be reclaimed for it: "
                  + victims
                  + (victims == 1 ? " workload on " : " workloads on ")
                  + ActionSelection.inBrief(List.copyOf(where));
      return search.freeOfAll() + chosen + (victims > 0 && !why.isEmpty() ? "; " : "") + why;
    }

    void serve() {
      while (served < search.missing() && outcome == FloorOutcome.RECLAIMING) {
        Optional<WaitReason> spent = selection.spent();
        if (spent.isPresent()) {
          stop(FloorOutcome.ON_HOLD, "more would be, but not now: " + spent.get().sentence());
          return;
        }
        best()
            .ifPresentOrElse(
                this::settle, () -> stop(FloorOutcome.IMPOSSIBLE, selection.noneHelps()));
      }
    }

    /** By the name of the devices that costs least for a block. */
    private Optional<UnitVictims> best() {
      return missing.stream()
          .map(blocks -> blocks.subList(served, blocks.size()))
          .flatMap(left -> best(left).stream())
          .min(Comparator.comparingDouble(found -> (double) found.loss() / found.served().size()));
    }

    /**
     * All blocks, if these are not too many, or else the first ones on one node, as many as cost
     * least for a GPU, or else the first one with few victims.
     */
    private Optional<UnitVictims> best(List<Demand> left) {
      return together(left)
          .or(
              () ->
                  nodes.bestPart(left, limits.maxActions(input.gpus())).filter(this::isEverAllowed))
          .or(
              () ->
                  nodes.best(new PendingUnit(left.getFirst().unit(), List.of(left.getFirst())), 0));
    }

    private Optional<UnitVictims> together(List<Demand> left) {
      return left.size() > MOST_TOGETHER
          ? Optional.empty()
          : nodes
              .best(
                  new PendingUnit(search.floor().toString(), left), limits.maxActions(input.gpus()))
              .filter(best -> budgets.objection(best.victims()).isEmpty());
    }

    private boolean isEverAllowed(UnitVictims best) {
      return !budgets.objection(best.victims()).equals(Optional.of(WaitReason.BUDGET_TOO_SMALL));
    }

    private void settle(UnitVictims best) {
      Optional<WaitReason> objection = budgets.objection(best.victims());
      if (objection.isPresent()) {
        best.victims().forEach(due -> selection.hold(due, objection.get()));
        if (objection.get().isOfNamespace()) {
          // Workloads of other namespaces may help instead.
          best.victims().forEach(selection::closeNamespace);
        } else {
          stop(
              FloorOutcome.ON_HOLD,
              "more would be reclaimed, but not now: " + objection.get().sentence());
        }
        return;
      }
      nodes.promise(best);
      best.victims().forEach(due -> choose(due, best));
      best.victims().forEach(selection::closeNamespace);
      served += best.served().size();
    }

    private void choose(Due due, UnitVictims best) {
      ServedPod block = best.servedBy(due);
      victims++;
      where.add(block.node());
      selection.choose(
          due,
          Optional.of(
              new Beneficiary.KeepFree(
                  search.floor(),
                  search.free().count(),
                  promised,
                  search.blocks(),
                  block.demand(),
                  block.node())));
    }

    private void stop(FloorOutcome how, String sentence) {
      outcome = how;
      why = sentence;
    }
  }
}
