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

  /** Every budget is whole: for a replica that only observes, and for the first leader. */
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

  /**
   * A budget per hour: half of it may be spent at once, and the other half comes back in the course
   * of an hour. So no hour ever sees more than the budget; and because a new bucket is empty, no
   * hour with a restart in it does either.
   *
   * @param tokens what is left; below zero when something larger than the budget was spent
   * @param at when that was so
   */
  record HourlyBudget(double tokens, Instant at) {
    private static final double HOUR = Duration.ofHours(1).toMillis();

    /** Nothing in it yet. */
    static HourlyBudget empty(Instant at) {
      return new HourlyBudget(0, at);
    }

    /** How much it can hold: at least one, if anything may be spent at all. */
    static double capacity(double perHour) {
      return perHour < 1 ? 0 : Math.max(1, perHour / 2);
    }

    /** Whether there is no limit. */
    private static boolean isUnlimited(double perHour) {
      return perHour >= Integer.MAX_VALUE;
    }

    /** The same at a later time; a clock that was set back fills nothing. */
    HourlyBudget filled(double perHour, Instant now) {
      if (isUnlimited(perHour)) {
        return new HourlyBudget(Double.POSITIVE_INFINITY, now);
      }
      double elapsed = Math.max(0, Duration.between(at, now).toMillis());
      double more = tokens + perHour / 2 * elapsed / HOUR;
      return new HourlyBudget(Math.min(capacity(perHour), more), now);
    }

    HourlyBudget without(double spent) {
      return new HourlyBudget(tokens - spent, at);
    }
  }
}
