package io.gpureclaimer.reclaimer.plan;

import java.time.Duration;
import java.time.Instant;

/**
 * A budget per hour: half of it may be spent at once, and the other half comes back in the course
 * of an hour. So no hour ever sees more than the budget; and because a new bucket is empty, no hour
 * with a restart in it does either.
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
