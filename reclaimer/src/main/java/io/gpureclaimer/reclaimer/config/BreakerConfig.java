package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * When the circuit breaker stops new warnings and actions, because the evidence as a whole is
 * doubtful. Bound from {@code breaker.*}.
 *
 * @param minCoverage which share of the running pods with GPUs must be observed, 0 to 1; one pod
 *     may be missing in any case
 * @param maxIdleJump rise of the share of idle GPUs between two cycles that opens the circuit
 *     breaker, 0 to 1; only pods past their startup grace count; 1 is no limit
 * @param jumpWorkloads minimum increase of idle workloads for such a rise to open the circuit
 *     breaker
 * @param jumpSettles how long the higher share must last before the circuit breaker closes again
 * @param sourceSettles time after a start of the activity source during which the circuit breaker
 *     stays open
 * @param settleAfterStart time after a replica becomes leader during which the circuit breaker
 *     stays open
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
