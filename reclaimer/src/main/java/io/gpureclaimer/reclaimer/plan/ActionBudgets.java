package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.NamespaceCaps;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    EvictionLimit perPlan,
    EvictionLimit perHour,
    NamespaceBudget namespace,
    int ownerPerDay,
    double gpuShare) {
  private static final int UNLIMITED = Integer.MAX_VALUE;
  private static final int LEAST_GPUS_PER_HOUR = 8;

  public ActionBudgets {
    if (ownerPerDay < 0) {
      throw new IllegalArgumentException("ownerPerDay must not be negative, was " + ownerPerDay);
    }
    if (!(gpuShare > 0 && gpuShare <= 1)) {
      throw new IllegalArgumentException("gpuShare must be above 0 and at most 1, was " + gpuShare);
    }
  }

  /** The same limits in every cluster. */
  public ActionBudgets(
      int perPlan, int perHour, NamespaceBudget namespace, int ownerPerDay, double gpuShare) {
    this(EvictionLimit.of(perPlan), EvictionLimit.of(perHour), namespace, ownerPerDay, gpuShare);
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

  /**
   * What may be evicted of one namespace.
   *
   * @param perPlan how many workloads in one plan
   * @param perHour how many in any hour
   * @param maxPriority the highest priority that a victim may have
   */
  public record NamespaceBudget(int perPlan, int perHour, int maxPriority) {
    private static final int UNLIMITED = Integer.MAX_VALUE;

    /** As much as one likes. */
    public static final NamespaceBudget NONE = new NamespaceBudget(UNLIMITED, UNLIMITED, UNLIMITED);

    public NamespaceBudget {
      if (perPlan < 0 || perHour < 0) {
        throw new IllegalArgumentException(
            "a budget must not be negative, was " + perPlan + " and " + perHour);
      }
    }

    /** That many, of whatever priority. */
    public NamespaceBudget(int perPlan, int perHour) {
      this(perPlan, perHour, UNLIMITED);
    }

    /** What the administrators of the namespaces allow, by namespace. */
    public static Map<String, NamespaceBudget> of(List<Judgment> judgments) {
      var budgets = new HashMap<String, NamespaceBudget>();
      for (Judgment judgment : judgments) {
        judgment
            .policy()
            .map(EffectivePolicy::caps)
            .filter(caps -> !caps.equals(NamespaceCaps.NONE))
            .ifPresent(
                caps ->
                    budgets.merge(
                        judgment.verdict().workload().namespace(),
                        of(caps),
                        NamespaceBudget::within));
      }
      return budgets;
    }

    /** Of each limit the smaller one. */
    public NamespaceBudget within(NamespaceBudget other) {
      return new NamespaceBudget(
          Math.min(perPlan, other.perPlan),
          Math.min(perHour, other.perHour),
          Math.min(maxPriority, other.maxPriority));
    }

    private static NamespaceBudget of(NamespaceCaps caps) {
      return new NamespaceBudget(
          value(caps.maxPerRun()), value(caps.maxPerHour()), value(caps.victimPriorityMax()));
    }

    private static int value(Optional<Setting<Integer>> cap) {
      return cap.map(Setting::value).orElse(UNLIMITED);
    }
  }
}
