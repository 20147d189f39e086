package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.plan.ActionBudgets;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.EvictionLimit;
import io.gpureclaimer.reclaimer.plan.FreeGpuFloor;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How much may be evicted: at once, in an hour, and of one owner in a day. Bound from {@code
 * plan.*}.
 *
 * @param maxEvictions maximum evictions in one cycle: a number such as {@code 2}, or a share of the
 *     cluster's GPUs such as {@code 0.4%}, but 2 at least
 * @param maxEvictionsPerHour maximum evictions in any hour: a number such as {@code 30}, or a share
 *     of the cluster's GPUs such as {@code 6%}, but 30 at least
 * @param maxNamespaceEvictions maximum evictions in one namespace and cycle
 * @param maxNamespaceEvictionsPerHour maximum evictions in one namespace in any hour
 * @param maxOwnerEvictionsPerDay maximum evictions of one owner in any day; a pod without an owner
 *     counts by its name
 * @param maxGpuSharePerHour which share of the cluster's GPUs may be reclaimed in any hour, above 0
 *     to 1; in a small cluster 8 GPUs at least
 * @param pendingGrace how long a pod must be pending before another is evicted for it
 * @param nomination time in which a pending pod must be bound after an eviction for it; then
 *     another pod may be evicted for it
 * @param nominateNodes whether {@code status.nominatedNodeName} of a pending pod is set to the node
 *     on which GPUs are freed for it; pods of the same or a lower priority cannot take them then
 * @param waitForOthers time for which nothing is reclaimed for a pending pod that a preempting
 *     scheduler or an autoscaler is about to serve; 0s ignores them
 * @param keepFree GPUs of a model that are kept free for the next pod, such as {@code 8xH100}.
 *     {@code 2x8xH100} is for two nodes with 8 free GPUs each, {@code 4xH100:mig-1g.10gb} for MIG
 *     devices
 * @param maxNeedProbability highest probability of being needed again within an hour with which a
 *     workload is still reclaimed for a pending pod: above 0 to 1, or {@code auto}. That is 0.1,
 *     and no limit where an {@code idle-after} is set that is at most that of the class
 */
@Context
@ConfigurationProperties("plan")
public record PlanConfig(
    String maxEvictions,
    String maxEvictionsPerHour,
    int maxNamespaceEvictions,
    int maxNamespaceEvictionsPerHour,
    int maxOwnerEvictionsPerDay,
    double maxGpuSharePerHour,
    Duration pendingGrace,
    Duration nomination,
    boolean nominateNodes,
    Duration waitForOthers,
    List<String> keepFree,
    String maxNeedProbability) {
  private static final String AUTO = "auto";
  private static final int LEAST_IN_A_CYCLE = 2;
  private static final int LEAST_IN_AN_HOUR = 30;

  public PlanConfig {
    keepFree = List.copyOf(keepFree);
    floors(keepFree);
    perCycle(maxEvictions);
    perHour(maxEvictionsPerHour);
    mustNotBeNegative("plan.max-namespace-evictions", maxNamespaceEvictions);
    mustNotBeNegative("plan.max-namespace-evictions-per-hour", maxNamespaceEvictionsPerHour);
    mustNotBeNegative("plan.max-owner-evictions-per-day", maxOwnerEvictionsPerDay);
    if (!(maxGpuSharePerHour > 0 && maxGpuSharePerHour <= 1)) {
      throw new IllegalArgumentException(
          "plan.max-gpu-share-per-hour must be above 0 and at most 1, was " + maxGpuSharePerHour);
    }
    mostProbable(maxNeedProbability);
    new Property("plan.pending-grace", pendingGrace).mustNotBeNegative();
    new Property("plan.nomination", nomination).mustNotBeNegative();
    new Property("plan.wait-for-others", waitForOthers).mustNotBeNegative();
  }

  /** The same for the planner. */
  public PlanLimits limits() {
    return new PlanLimits(
        new ActionBudgets(
            perCycle(maxEvictions),
            perHour(maxEvictionsPerHour),
            new NamespaceBudget(maxNamespaceEvictions, maxNamespaceEvictionsPerHour),
            maxOwnerEvictionsPerDay,
            maxGpuSharePerHour),
        pendingGrace,
        nomination,
        waitForOthers,
        floors(keepFree),
        mostProbable(maxNeedProbability));
  }

  private static Optional<Double> mostProbable(String text) {
    if (text.equals(AUTO)) {
      return Optional.empty();
    }
    boolean isNumber = text.matches("0?\\.\\d{1,9}|1(\\.0{1,9})?");
    if (!isNumber || Double.parseDouble(text) == 0) {
      throw new IllegalArgumentException(
          "plan.max-need-probability (--max-need-probability) must be auto, or a number such as"
              + " 0.1 above 0 and at most 1, was "
              + text);
    }
    return Optional.of(Double.valueOf(text));
  }

  private static EvictionLimit perCycle(String text) {
    return limit("plan.max-evictions (--max-evictions)", text, LEAST_IN_A_CYCLE);
  }

  private static EvictionLimit perHour(String text) {
    return limit("plan.max-evictions-per-hour (--max-evictions-per-hour)", text, LEAST_IN_AN_HOUR);
  }

  private static EvictionLimit limit(String property, String text, int least) {
    return EvictionLimit.parse(text, least)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    property + " must be " + EvictionLimit.GRAMMAR + ", was " + text));
  }

  private static List<FreeGpuFloor> floors(List<String> texts) {
    var floors = new ArrayList<FreeGpuFloor>();
    for (String text : texts) {
      FreeGpuFloor floor =
          FreeGpuFloor.parse(text)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "plan.keep-free (--keep-free) must be "
                              + FreeGpuFloor.GRAMMAR
                              + ", was "
                              + text));
      if (floors.stream().anyMatch(floor::isOfPool)) {
        throw new IllegalArgumentException(
            "plan.keep-free (--keep-free) must name each model, with each resource, once, was "
                + String.join(",", texts));
      }
      floors.add(floor);
    }
    return floors;
  }

  private static void mustNotBeNegative(String property, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(property + " must not be negative, was " + value);
    }
  }
}
