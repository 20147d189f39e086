package io.gpureclaimer.reclaimer.plan;

/**
 * How many actions are allowed: in one plan, in an hour, and on one workload in a day.
 *
 * @param perPlan in one plan; zero forbids them all
 * @param perHour in any hour, across the cluster
 * @param namespace of one namespace; its own caps hold as well where they are smaller
 * @param ownerPerDay on one workload in any day; a pod without an owner counts by its name
 * @param gpuShare which share of the cluster's GPUs may be reclaimed in any hour, above 0 to 1
 */
public record ActionBudgets(
    int perPlan, int perHour, NamespaceBudget namespace, int ownerPerDay, double gpuShare) {
  private static final int UNLIMITED = Integer.MAX_VALUE;
  private static final int LEAST_GPUS_PER_HOUR = 8;

  public ActionBudgets {
    if (perPlan < 0 || perHour < 0 || ownerPerDay < 0) {
      throw new IllegalArgumentException(
          "budgets must not be negative, was " + perPlan + ", " + perHour + " and " + ownerPerDay);
    }
    if (!(gpuShare > 0 && gpuShare <= 1)) {
      throw new IllegalArgumentException("gpuShare must be above 0 and at most 1, was " + gpuShare);
    }
  }

  /** That many in one plan, and no other limit. */
  public static ActionBudgets perPlan(int actions) {
    return new ActionBudgets(actions, UNLIMITED, NamespaceBudget.NONE, UNLIMITED, 1);
  }

  /**
   * How many GPUs may be reclaimed in any hour. In a small cluster it is one node's worth at least,
   * because a share of it would be less than one pod.
   */
  double gpusPerHour(int gpus) {
    return gpuShare == 1 ? Integer.MAX_VALUE : Math.max(LEAST_GPUS_PER_HOUR, gpuShare * gpus);
  }
}
