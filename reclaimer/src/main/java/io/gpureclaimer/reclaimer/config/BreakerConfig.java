package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * When nothing new is begun, because what was seen cannot be built on. Bound from {@code
 * breaker.*}.
 *
 * @param minCoverage which share of the running pods with GPUs must be observed, 0 to 1; one pod
 *     may be missing in any case
 * @param maxIdleJump by how much the share of idle GPUs may rise from one cycle to the next, 0 to
 *     1, counted over pods past their startup grace; 1 is no limit
 * @param jumpWorkloads how many more workloads must be idle for that to count
 * @param jumpSettles how long a higher share must last to be believed
 * @param sourceSettles how long the source must have been running
 * @param settleAfterStart how long a replica must have been leading
 */
@Context
@ConfigurationProperties("breaker")
public record BreakerConfig(
    double minCoverage,
    double maxIdleJump,
    int jumpWorkloads,
    Duration jumpSettles,
    Duration sourceSettles,
    Duration settleAfterStart) {
  public BreakerConfig {
    Property.mustBeShare("breaker.min-coverage", minCoverage);
    Property.mustBeShare("breaker.max-idle-jump", maxIdleJump);
    if (jumpWorkloads < 1) {
      throw new IllegalArgumentException(
          "breaker.jump-workloads must be at least 1, was " + jumpWorkloads);
    }
    new Property("breaker.jump-settles", jumpSettles).mustNotBeNegative();
    new Property("breaker.source-settles", sourceSettles).mustNotBeNegative();
    new Property("breaker.settle-after-start", settleAfterStart).mustNotBeNegative();
  }

  /**
   * The same for the circuit breaker.
   *
   * @param maxSkew how much the source's clock and ours may differ
   */
  public CircuitBreaker.Limits limits(Duration maxSkew) {
    return new CircuitBreaker.Limits(
        minCoverage,
        maxIdleJump,
        jumpWorkloads,
        jumpSettles,
        sourceSettles,
        settleAfterStart,
        maxSkew);
  }
}
