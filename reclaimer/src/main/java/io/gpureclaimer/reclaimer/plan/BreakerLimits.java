package io.gpureclaimer.reclaimer.plan;

import java.time.Duration;

/**
 * When the circuit breaker opens.
 *
 * @param minCoverage which share of the running pods with GPUs must be observed, 0 to 1
 * @param maxIdleJump by how much the share of idle GPUs may rise from one look to the next, 0 to 1
 * @param jumpWorkloads how many more workloads must be idle for that to count
 * @param jumpSettles how long a higher share must last to be believed
 * @param sourceSettles how long the source must have been running
 * @param leaderSettles how long this replica must have been leading
 * @param maxSkew how much the source's clock and ours may differ
 */
public record BreakerLimits(
    double minCoverage,
    double maxIdleJump,
    int jumpWorkloads,
    Duration jumpSettles,
    Duration sourceSettles,
    Duration leaderSettles,
    Duration maxSkew) {
  public BreakerLimits {
    requireShare("minCoverage", minCoverage);
    requireShare("maxIdleJump", maxIdleJump);
  }

  private static void requireShare(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " must be from 0 to 1, was " + value);
    }
  }
}
