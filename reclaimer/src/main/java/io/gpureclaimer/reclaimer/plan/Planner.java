package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.plan.Plan.Entry;
import io.gpureclaimer.reclaimer.policy.Verdict;
import java.time.Instant;
import java.util.List;
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

  /**
   * What to do now.
   *
   * @param verdicts of every workload
   * @param cluster which they were made of
   * @param now our clock
   */
  public Plan plan(List<Verdict> verdicts, ClusterView cluster, Instant now) {
    List<Demand> demands = Demands.in(cluster, limits.pendingGrace(), now);
    List<Verdict.Due> due = only(Verdict.Due.class, verdicts).toList();
    return new Plan(
        Stream.of(
                only(Verdict.ToWithdraw.class, verdicts).map(Step.Withdraw::new),
                only(Verdict.ToWarn.class, verdicts).map(Step.Warn::new),
                Evictions.of(due, demands, limits.maxEvictions(), cluster).stream())
            .<Step>flatMap(steps -> steps)
            .map(step -> new Entry(step, StepSentence.of(step, now)))
            .toList());
  }

  private static <T extends Verdict> Stream<T> only(Class<T> way, List<Verdict> verdicts) {
    return verdicts.stream().filter(way::isInstance).map(way::cast);
  }
}
