package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.plan.PlanLimits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * How much one cycle may do. Bound from {@code plan.*}.
 *
 * @param maxEvictions in one cycle
 * @param pendingGrace how long a pod must have waited before another is evicted for it
 */
@Context
@ConfigurationProperties("plan")
public record PlanConfig(int maxEvictions, Duration pendingGrace) {
  public PlanConfig {
    if (maxEvictions < 0) {
      throw new IllegalArgumentException(
          "plan.max-evictions must not be negative, was " + maxEvictions);
    }
    new Property("plan.pending-grace", pendingGrace).mustNotBeNegative();
  }

  /** The same for the planner. */
  public PlanLimits limits() {
    return new PlanLimits(maxEvictions, pendingGrace);
  }
}
