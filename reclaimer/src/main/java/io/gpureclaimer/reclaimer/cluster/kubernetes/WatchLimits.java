package io.gpureclaimer.reclaimer.cluster.kubernetes;

import java.time.Duration;

/**
 * How far a view from memory is trusted.
 *
 * @param brokenFor how long a watch may be broken before its view counts as stale
 * @param request how long one call may take
 */
public record WatchLimits(Duration brokenFor, Duration request) {
  public WatchLimits {
    if (!brokenFor.isPositive()) {
      throw new IllegalArgumentException("brokenFor must be positive, was " + brokenFor);
    }
    if (!request.isPositive()) {
      throw new IllegalArgumentException("request must be positive, was " + request);
    }
  }
}
