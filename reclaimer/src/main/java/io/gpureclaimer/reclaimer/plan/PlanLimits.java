package io.gpureclaimer.reclaimer.plan;

import java.time.Duration;

/**
 * How much may be planned.
 *
 * @param budgets how many evictions
 * @param pendingGrace how long a pod must have waited before somebody is evicted for it
 * @param nomination how long a pod for which somebody was evicted may take to be bound, before
 *     anybody else is evicted for it
 */
public record PlanLimits(Budgets budgets, Duration pendingGrace, Duration nomination) {
  private static final Duration NOMINATION = Duration.ofMinutes(5);

  public PlanLimits {
    if (pendingGrace.isNegative()) {
      throw new IllegalArgumentException("pendingGrace must not be negative, was " + pendingGrace);
    }
    if (nomination.isNegative()) {
      throw new IllegalArgumentException("nomination must not be negative, was " + nomination);
    }
  }

  /** That many evictions in one plan, and no other budget. */
  public PlanLimits(int maxEvictions, Duration pendingGrace) {
    this(Budgets.perPlan(maxEvictions), pendingGrace, NOMINATION);
  }

  /** How many evictions one plan may have. */
  public int maxEvictions() {
    return budgets.perPlan();
  }
}
