package io.gpureclaimer.deviceplugin.health.device;

import java.time.Duration;

/**
 * When a device counts as unhealthy, and what it takes to be healthy again.
 *
 * @param checks which are made
 * @param quietTime how long nothing may be wrong before an issue is over; at least a second
 * @param quietIsEnough whether quiet is evidence where the driver tells no recovery action, for
 *     issues that want its word: as long as this is false, these GPUs need a reset
 */
public record HealthPolicy(HealthChecks checks, Duration quietTime, boolean quietIsEnough) {
  public HealthPolicy {
    if (quietTime.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("the quiet time must be at least 1s, was " + quietTime);
    }
  }

  /** Of the time between two surveys no more counts: what nobody looked at was not quiet. */
  Duration longestStep() {
    return quietTime.dividedBy(2);
  }
}
