package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.plan.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Turns verdicts into a plan. A pure function: the same verdicts, cluster and time give the same
 * plan.
 */
public final class Planner {
  private final PlanLimits limits;

  public Planner(PlanLimits limits) {
    this.limits = limits;
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

  /** What to do now. While the circuit breaker is open, warnings are only taken back. */
  public Plan plan(PlanInput input) {
    List<Verdict> verdicts = input.verdicts();
    Stream<Step> withdrawals = only(Verdict.ToWithdraw.class, verdicts).map(Step.Withdraw::new);
    Stream<Step> others = input.breaker().isOpen() ? held(verdicts) : warningsAndActions(input);
    return new Plan(
        Stream.concat(withdrawals, others)
            .map(step -> new PlanEntry(step, step.sentence(input.now())))
            .toList());
  }

  private static Stream<Step> held(List<Verdict> verdicts) {
    return Stream.<Verdict>concat(
            only(Verdict.ToWarn.class, verdicts), only(Verdict.Due.class, verdicts))
        .map(verdict -> new Step.Wait(verdict, WaitReason.BREAKER_OPEN));
  }

  private Stream<Step> warningsAndActions(PlanInput input) {
    List<Demand> demands = Demand.in(input.cluster(), limits.pendingGrace(), input.now());
    List<Verdict.Due> due = only(Verdict.Due.class, input.verdicts()).toList();
    return Stream.concat(
        only(Verdict.ToWarn.class, input.verdicts()).map(Step.Warn::new),
        ActionSelection.of(due, demands, input, limits.budgets()).stream());
  }

  private static <T extends Verdict> Stream<T> only(Class<T> way, List<Verdict> verdicts) {
    return verdicts.stream().filter(way::isInstance).map(way::cast);
  }
}
