package io.gpureclaimer.reclaimer.plan;

import java.time.Duration;

/**
 * How much may be planned.
 *
 * @param budgets how many actions
 * @param pendingGrace how long a pod must have been pending before a workload is reclaimed for it
 * @param nomination how long a pod for which a workload was reclaimed may take to be bound, before
 *     another one is reclaimed for it
 */
public record PlanLimits(ActionBudgets budgets, Duration pendingGrace, Duration nomination) {
  private static final Duration NOMINATION = Duration.ofMinutes(5);

  public PlanLimits {
    if (pendingGrace.isNegative()) {
      throw new IllegalArgumentException("pendingGrace must not be negative, was " + pendingGrace);
    }
    if (nomination.isNegative()) {
      throw new IllegalArgumentException("nomination must not be negative, was " + nomination);
    }
  }

  /** That many actions in one plan, and no other budget. */
  public PlanLimits(int maxActions, Duration pendingGrace) {
    this(ActionBudgets.perPlan(maxActions), pendingGrace, NOMINATION);
  }

  /** How many actions one plan may have. */
  public int maxActions() {
    return budgets.perPlan();
  }
}
