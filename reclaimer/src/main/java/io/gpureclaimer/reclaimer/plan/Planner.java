package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.plan.Plan.Entry;
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

  /** Within which it plans. */
  public PlanLimits limits() {
    return limits;
  }

  /** What to do now, when nothing speaks against the verdicts and nothing was done before. */
  public Plan plan(List<Verdict> verdicts, ClusterView cluster, Instant now) {
    return plan(new Situation(verdicts, cluster, Map.of(), Health.GOOD, Memory.none(now), now));
  }

  /** What to do now. While the circuit breaker is open, nothing but what takes warnings back. */
  public Plan plan(Situation situation) {
    List<Verdict> verdicts = situation.verdicts();
    Stream<Step> withdrawals = only(Verdict.ToWithdraw.class, verdicts).map(Step.Withdraw::new);
    Stream<Step> others =
        situation.health().isOpen() ? held(verdicts) : warningsAndEvictions(situation);
    return new Plan(
        Stream.concat(withdrawals, others)
            .map(step -> new Entry(step, StepSentence.of(step, situation.now())))
            .toList());
  }

  private static Stream<Step> held(List<Verdict> verdicts) {
    return Stream.<Verdict>concat(
            only(Verdict.ToWarn.class, verdicts), only(Verdict.Due.class, verdicts))
        .map(verdict -> new Step.Wait(verdict, NotNow.BREAKER_OPEN));
  }

  private Stream<Step> warningsAndEvictions(Situation situation) {
    List<Demand> demands = Demands.in(situation.cluster(), limits.pendingGrace(), situation.now());
    List<Verdict.Due> due = only(Verdict.Due.class, situation.verdicts()).toList();
    return Stream.concat(
        only(Verdict.ToWarn.class, situation.verdicts()).map(Step.Warn::new),
        Evictions.of(due, demands, situation, limits.budgets()).stream());
  }

  private static <T extends Verdict> Stream<T> only(Class<T> way, List<Verdict> verdicts) {
    return verdicts.stream().filter(way::isInstance).map(way::cast);
  }
}
