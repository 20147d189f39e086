package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.NamespaceCaps;
import io.gpureclaimer.reclaimer.policy.Setting;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
