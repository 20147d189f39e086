package io.gpureclaimer.reclaimer.plan;

import java.time.Duration;

/**
 * How much one plan may do.
 *
 * @param maxEvictions in one plan; zero forbids them all
 * @param pendingGrace how long a pod must have waited before somebody is evicted for it
 */
public record PlanLimits(int maxEvictions, Duration pendingGrace) {
  public PlanLimits {
    if (maxEvictions < 0) {
      throw new IllegalArgumentException("maxEvictions must not be negative, was " + maxEvictions);
    }
    if (pendingGrace.isNegative()) {
      throw new IllegalArgumentException("pendingGrace must not be negative, was " + pendingGrace);
    }
  }
}
