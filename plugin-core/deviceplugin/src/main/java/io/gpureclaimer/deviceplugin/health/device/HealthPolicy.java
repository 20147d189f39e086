package io.gpureclaimer.deviceplugin.health.device;

import java.time.Duration;

/**
 * Conditions under which a device becomes unhealthy, and healthy again.
 *
 * @param checks which are made
 * @param quietTime how long nothing may be wrong before an issue is over; at least a second
 * @param quietIsEnough whether quiet is evidence where the driver reports no recovery action, for
 *     issues that need that report: as long as this is false, these GPUs need a reset
 */
public record HealthPolicy(HealthChecks checks, Duration quietTime, boolean quietIsEnough) {
  public HealthPolicy {
    if (quietTime.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("the quiet time must be at least 1s, was " + quietTime);
    }
  }

  /** The most that counts of the time between two surveys: a time without surveys was not quiet. */
  Duration longestStep() {
    return quietTime.dividedBy(2);
  }
}
