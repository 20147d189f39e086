package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.ActionSelection.SelectedActions;
import io.gpureclaimer.reclaimer.plan.Planner.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Turns verdicts into a plan. A pure function: the same verdicts, cluster and time give the same
 * plan.
 */
public final class Planner {
  /** A warning is written on every pod of its workload, one request for each. */
  static final int MAX_ANNOTATED_PODS = 500;

  private final PlanLimits limits;
  private final AtomicReference<PendingUnits> lastPending =
      new AtomicReference<>(PendingUnits.NONE);
  private final VictimCost cost;

  public Planner(PlanLimits limits) {
    this(limits, VictimCost.EXPECTED_LOSS);
  }

  /** A planner that chooses victims for pending pods by another cost. */
  public Planner(PlanLimits limits, VictimCost cost) {
    this.limits = limits;
    this.cost = cost;
  }

  /** The limits of each plan. */
  public PlanLimits limits() {
    return limits;
  }

  /** What to do now, with a closed circuit breaker and without a history. */
  public Plan plan(List<Verdict> verdicts, ClusterView cluster, Instant now) {
    return plan(
        new PlanInput(
            verdicts,
            cluster,
            Map.of(),
            CircuitBreaker.BreakerStatus.CLOSED,
            PlanHistory.none(now),
            now));
  }

  /** What to do now. While the circuit breaker is open, warnings are only withdrawn. */
  public Plan plan(PlanInput input) {
    List<Verdict> verdicts = input.verdicts();
    Stream<Step> withdrawals = only(Verdict.ToWithdraw.class, verdicts).map(Step.Withdraw::new);
    PendingUnits pending =
        PendingUnits.in(input.cluster(), limits.pendingGrace(), input.now(), lastPending.get());
    lastPending.set(pending);
    Fairness fairness = Fairness.of(input.cluster(), input.now());
    SelectedActions selected =
        input.breaker().isOpen()
            ? new SelectedActions(
                held(verdicts), onHold(pending), FloorSelection.onHold(input, limits))
            : warningsAndActions(input, pending, fairness);
    return new Plan(
        withoutTooManyWrites(Stream.concat(withdrawals, selected.steps().stream()).toList())
            .map(step -> new PlanEntry(step, input.now()))
            .toList(),
        Stream.concat(selected.pending().stream(), pending.others().stream()).toList(),
        selected.floors(),
        fairness);
  }

  private static List<PendingStatus> onHold(PendingUnits pending) {
    return pending.servable().stream()
        .map(
            unit ->
                unit.status(
                    PendingStatus.PendingOutcome.ON_HOLD, 0, WaitReason.BREAKER_OPEN.sentence()))
        .toList();
  }

  /**
   * The same steps, but that no warning is begun or withdrawn once so many pods are written on;
   * nothing relies on a warning that no longer holds, whenever it is removed.
   */
  private static Stream<Step> withoutTooManyWrites(List<Step> steps) {
    List<Step> within = new ArrayList<>();
    int pods = 0;
    for (Step step : steps) {
      boolean writes = step instanceof Step.Warn || step instanceof Step.Withdraw;
      within.add(
          writes && pods >= MAX_ANNOTATED_PODS
              ? new Step.Wait(step.verdict(), WaitReason.WARNINGS_SPENT)
              : step);
      pods += writes ? step.workload().pods().size() : 0;
    }
    return within.stream();
  }

  private static List<Step> held(List<Verdict> verdicts) {
    return Stream.<Verdict>concat(
            only(Verdict.ToWarn.class, verdicts), only(Verdict.Due.class, verdicts))
        .<Step>map(verdict -> new Step.Wait(verdict, WaitReason.BREAKER_OPEN))
        .toList();
  }

  private SelectedActions warningsAndActions(
      PlanInput input, PendingUnits pending, Fairness fairness) {
    List<Verdict.Due> due = only(Verdict.Due.class, input.verdicts()).toList();
    SelectedActions actions =
        ActionSelection.of(
            due, pending.servable(), input, limits, each -> cost.among(each, fairness));
    Stream<Step> warnings =
        only(Verdict.ToWarn.class, input.verdicts())
            .map(verdict -> warning(verdict, actions.floors(), input));
    return new SelectedActions(
        Stream.concat(warnings, actions.steps().stream()).toList(),
        actions.pending(),
        actions.floors());
  }

  /** What cannot be carried out is not announced. */
  private static Step warning(Verdict.ToWarn verdict, List<FloorStatus> floors, PlanInput input) {
    if (verdict.mode().acts() && input.lacksRecords(verdict.workload(), verdict.action())) {
      return new Step.Wait(verdict, WaitReason.RECORDS_UNREADABLE);
    }
    return new Step.Warn(
        verdict,
        verdict.mode() == Mode.ON_DEMAND
            ? floors.stream()
                .filter(each -> each.concerns(verdict.workload()))
                .map(FloorStatus::floor)
                .toList()
            : List.of());
  }

  private static <T extends Verdict> Stream<T> only(Class<T> way, List<Verdict> verdicts) {
    return verdicts.stream().filter(way::isInstance).map(way::cast);
  }

  /**
   * How much may be planned.
   *
   * @param budgets how many actions
   * @param pendingGrace how long a pod must have been pending before a workload is reclaimed for it
   * @param nomination how long a pod for which a workload was reclaimed may take to be bound,
   *     before another one is reclaimed for it
   * @param waitForOthers for how long nothing is reclaimed for a pod that another component said to
   *     serve
   * @param keepFree how many GPUs are kept free
   * @param maxNeedProbability with which probability a workload may be needed again within an hour
   *     that is reclaimed on demand, above 0 to 1; if absent, {@link #DEFAULT_MAX_NEED_PROBABILITY}
   *     of those that are {@linkplain Due#sparedIfNeededSoon spared by default}, and no limit of
   *     others
   */
  public record PlanLimits(
      ActionBudgets budgets,
      Duration pendingGrace,
      Duration nomination,
      Duration waitForOthers,
      List<FreeGpuFloor> keepFree,
      Optional<Double> maxNeedProbability) {
    static final double DEFAULT_MAX_NEED_PROBABILITY = 0.1;

    private static final Duration NOMINATION = Duration.ofMinutes(5);
    private static final Duration OTHERS = Duration.ofMinutes(10);

    public PlanLimits {
      keepFree = List.copyOf(keepFree);
      if (pendingGrace.isNegative()) {
        throw new IllegalArgumentException(
            "pendingGrace must not be negative, was " + pendingGrace);
      }
      if (nomination.isNegative()) {
        throw new IllegalArgumentException("nomination must not be negative, was " + nomination);
      }
      if (waitForOthers.isNegative()) {
        throw new IllegalArgumentException(
            "waitForOthers must not be negative, was " + waitForOthers);
      }
      if (maxNeedProbability.filter(most -> !(most > 0 && most <= 1)).isPresent()) {
        throw new IllegalArgumentException(
            "maxNeedProbability must be above 0 and at most 1, was " + maxNeedProbability.get());
      }
    }

    /** Whatever the probability is that workloads are needed again. */
    public PlanLimits(
        ActionBudgets budgets,
        Duration pendingGrace,
        Duration nomination,
        Duration waitForOthers,
        List<FreeGpuFloor> keepFree) {
      this(budgets, pendingGrace, nomination, waitForOthers, keepFree, Optional.of(1.0));
    }

    /** No GPUs are kept free. */
    public PlanLimits(
        ActionBudgets budgets, Duration pendingGrace, Duration nomination, Duration waitForOthers) {
      this(budgets, pendingGrace, nomination, waitForOthers, List.of());
    }

    /** Other components are waited for as long as by default. */
    public PlanLimits(ActionBudgets budgets, Duration pendingGrace, Duration nomination) {
      this(budgets, pendingGrace, nomination, OTHERS);
    }

    /** That many actions in one plan, and no other budget. */
    public PlanLimits(int maxActions, Duration pendingGrace) {
      this(ActionBudgets.perPlan(maxActions), pendingGrace, NOMINATION, OTHERS);
    }

    /** How many actions one plan may have in a cluster of so many GPUs. */
    public int maxActions(int gpus) {
      return budgets.perPlan().in(gpus);
    }
  }

  /**
   * Everything that a plan is made from.
   *
   * @param verdicts on every workload
   * @param cluster that they were made from
   * @param caps what namespaces allow themselves; one that is missing here has no caps of its own
   * @param breaker whether anything may follow from them
   * @param history of earlier cycles
   * @param now our clock
   */
  public record PlanInput(
      List<Verdict> verdicts,
      ClusterView cluster,
      Map<String, NamespaceBudget> caps,
      CircuitBreaker.BreakerStatus breaker,
      PlanHistory history,
      Instant now) {
    private static final Duration FIRST_PAUSE = Duration.ofHours(1);
    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    public PlanInput {
      verdicts = List.copyOf(verdicts);
      caps = Map.copyOf(caps);
    }

    /** Before the first observation. */
    public static PlanInput empty(PlanHistory history, Instant now) {
      var empty = new ClusterView(List.of(), Map.of(), List.of(), Map.of());
      return new PlanInput(
          List.of(), empty, Map.of(), CircuitBreaker.BreakerStatus.CLOSED, history, now);
    }

    /** Whether the action needs a record, and records of its owner cannot be read. */
    boolean lacksRecords(Workload workload, Action action) {
      return action instanceof Action.ChangeOwner
          && cluster
              .records()
              .map(
                  records ->
                      records
                          .unreadableOf(workload.namespace(), workload.owners().keySet())
                          .isPresent())
              .orElse(true);
    }

    /**
     * Whether records say that the workload is left alone for now: for an hour after it was
     * restored, longer where people asked to keep it, and twice as long each time in a week that
     * others changed it back, up to a day.
     */
    boolean isRestoredLately(Workload workload) {
      List<Reclamation> records =
          cluster.records().map(known -> known.of(workload.owners().keySet())).orElse(List.of());
      if (records.isEmpty()) {
        return false;
      }
      long contested =
          records.stream()
              .filter(
                  record -> endedWithin(record, ReclamationState.CONTESTED, Reclamation.COUNTS_FOR))
              .count();
      return records.stream()
          .anyMatch(
              record ->
                  record.request().keepUntil().filter(now::isBefore).isPresent()
                      || endedWithin(record, ReclamationState.RESTORED, FIRST_PAUSE)
                      || endedWithin(record, ReclamationState.CONTESTED, pauseAfter(contested)));
    }

    private static Duration pauseAfter(long contested) {
      Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.max(0, Math.min(contested - 1, 5)));
      return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    private boolean endedWithin(Reclamation record, ReclamationState state, Duration pause) {
      return record
          .status()
          .filter(progress -> progress.state() == state)
          .flatMap(progress -> progress.times().endedAt())
          .filter(end -> now.isBefore(end.plus(pause)))
          .isPresent();
    }

    NamespaceBudget caps(String namespace) {
      return caps.getOrDefault(namespace, NamespaceBudget.NONE);
    }

    /**
     * GPUs of all nodes. Those that only resource claims can get are not counted: a claim does not
     * say whether its device is a whole GPU, and parts must not make budgets larger.
     */
    int gpus() {
      return cluster.nodes().stream().mapToInt(NodeView::gpus).sum();
    }
  }

  /**
   * What to do now, in this order.
   *
   * @param entries withdrawals, then warnings, then actions, then what waits
   * @param pending what it does for pending pods that request GPUs, in the order in which they are
   *     served, and then those that cannot be
   * @param floors what it does to keep GPUs free
   * @param fairness by which it chose between workloads of nearly the same expected loss
   */
  public record Plan(
      List<PlanEntry> entries,
      List<PendingStatus> pending,
      List<FloorStatus> floors,
      Fairness fairness) {
    public Plan {
      entries = List.copyOf(entries);
      pending = List.copyOf(pending);
      floors = List.copyOf(floors);
    }

    /** Without a history of earlier actions. */
    public Plan(List<PlanEntry> entries, List<PendingStatus> pending) {
      this(entries, pending, List.of(), Fairness.UNKNOWN);
    }

    /** Without pending pods. */
    public Plan(List<PlanEntry> entries) {
      this(entries, List.of());
    }

    /**
     * One step and why.
     *
     * @param step what to do
     * @param at when that was decided
     */
    public record PlanEntry(Step step, Instant at) {

      /** One sentence for people. */
      public String reason() {
        return step.sentence(at);
      }
    }
  }
}
