package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.Collection;
import java.util.function.ToLongFunction;

/** What it costs to reclaim a workload for a pending pod. The set of least cost is chosen. */
@FunctionalInterface
public interface VictimCost {
  /** The expected loss, with up to a tenth more for the sake of fairness. */
  VictimCost EXPECTED_LOSS = (candidates, fairness) -> fairness.cost(candidates);

  /**
   * The cost of each workload; that of several is their sum.
   *
   * @param candidates all victims that there may be
   */
  ToLongFunction<Due> among(Collection<Due> candidates, Fairness fairness);
}
