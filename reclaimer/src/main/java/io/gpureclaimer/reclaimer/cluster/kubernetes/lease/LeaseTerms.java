package io.gpureclaimer.reclaimer.cluster.kubernetes.lease;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Which Lease is campaigned for, and how patiently.
 *
 * @param identity who we are; no two processes may share it
 * @param duration how long others wait for a sign of life before they take over; whole seconds
 * @param renewDeadline how long after the last renewal we still act; what is left of {@code
 *     duration} is the time that a write in flight has to finish
 * @param retryPeriod the pause between two attempts
 */
public record LeaseTerms(
    String namespace,
    String name,
    String identity,
    Duration duration,
    Duration renewDeadline,
    Duration retryPeriod) {
  public LeaseTerms {
    if (identity.isBlank()) {
      throw new IllegalArgumentException("identity must not be blank");
    }
    if (!duration.equals(duration.truncatedTo(ChronoUnit.SECONDS))) {
      throw new IllegalArgumentException("duration must be whole seconds, was " + duration);
    }
    if (!retryPeriod.isPositive()) {
      throw new IllegalArgumentException("retryPeriod must be positive, was " + retryPeriod);
    }
    if (retryPeriod.compareTo(renewDeadline) >= 0) {
      throw new IllegalArgumentException(
          "retryPeriod must be shorter than renewDeadline, was "
              + retryPeriod
              + " against "
              + renewDeadline);
    }
    if (renewDeadline.compareTo(duration) >= 0) {
      throw new IllegalArgumentException(
          "renewDeadline must be shorter than duration, was "
              + renewDeadline
              + " against "
              + duration);
    }
  }
}
