package io.gpureclaimer.reclaimer.evidence;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Since when one device has been observed in one pod's hands without a gap, and when it was last
 * active, by the samples seen one after the other.
 *
 * @param observedSince start of the unbroken observation
 * @param observedUntil the newest sample
 * @param lastActive absent if never since {@code observedSince}
 */
public record ActivityClock(
    Instant observedSince, Instant observedUntil, Optional<Instant> lastActive) {

  /**
   * The next state.
   *
   * @param before the last state; nothing if the device was not known
   * @param sampledAt when the newest sample was taken
   * @param active whether it, or any sample since {@code coveredSince}, shows work
   * @param coveredSince from when on the samples are known
   * @param longestGap between two samples of one observation
   */
  public static ActivityClock next(
      Optional<ActivityClock> before,
      Instant sampledAt,
      boolean active,
      Instant coveredSince,
      Duration longestGap) {
    Optional<ActivityClock> unbroken =
        before.filter(last -> last.reaches(sampledAt, coveredSince, longestGap));
    Optional<Instant> lastActive =
        active ? Optional.of(sampledAt) : unbroken.flatMap(ActivityClock::lastActive);
    return new ActivityClock(
        unbroken.map(ActivityClock::observedSince).orElse(sampledAt), sampledAt, lastActive);
  }

  /** A sample of before the last one, as after a switch to another replica, is a break as well. */
  private boolean reaches(Instant sampledAt, Instant coveredSince, Duration longestGap) {
    return !sampledAt.isBefore(observedUntil)
        && !observedUntil.isBefore(coveredSince)
        && Duration.between(observedUntil, sampledAt).compareTo(longestGap) <= 0;
  }
}
