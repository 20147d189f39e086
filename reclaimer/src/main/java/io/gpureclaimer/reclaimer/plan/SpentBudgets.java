package io.gpureclaimer.reclaimer.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * What is left of the budgets per hour. It is forgotten with the process, so that every budget
 * begins empty.
 *
 * @param since when the counting began
 * @param cluster evictions in the whole cluster
 * @param gpus GPUs of evicted pods
 * @param namespaces evictions by namespace; one that is missing here has spent nothing since then
 */
record SpentBudgets(
    Instant since, HourlyBudget cluster, HourlyBudget gpus, Map<String, HourlyBudget> namespaces) {
  private static final Duration LONG_AGO = Duration.ofHours(3);

  SpentBudgets {
    namespaces = Map.copyOf(namespaces);
  }

  /** Every budget begins empty now. */
  static SpentBudgets from(Instant now) {
    return new SpentBudgets(now, HourlyBudget.empty(now), HourlyBudget.empty(now), Map.of());
  }

  /** Every budget is whole: for who only looks. */
  static SpentBudgets none(Instant now) {
    return from(now.minus(LONG_AGO));
  }

  HourlyBudget namespace(String name) {
    return namespaces.getOrDefault(name, HourlyBudget.empty(since));
  }

  /** The same after one eviction, with what the budgets gained until then. */
  SpentBudgets after(String namespace, int gpusFreed, Rates rates, Instant now) {
    var left = new HashMap<>(namespaces);
    left.put(namespace, namespace(namespace).filled(rates.namespacePerHour(), now).without(1));
    return new SpentBudgets(
        since,
        cluster.filled(rates.perHour(), now).without(1),
        gpus.filled(rates.gpusPerHour(), now).without(gpusFreed),
        Collections.unmodifiableMap(left));
  }

  /**
   * How fast the budgets of one eviction fill.
   *
   * @param perHour evictions in the cluster
   * @param gpusPerHour GPUs
   * @param namespacePerHour evictions in the evicted pod's namespace
   */
  record Rates(double perHour, double gpusPerHour, double namespacePerHour) {}
}
