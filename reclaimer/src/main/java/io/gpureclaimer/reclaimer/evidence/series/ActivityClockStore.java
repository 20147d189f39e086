package io.gpureclaimer.reclaimer.evidence.series;

import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodDevice;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Activity clocks of all devices, for a Prometheus that keeps none. They start with the program, so
 * that no earlier idleness is known. Safe for any thread.
 */
final class ActivityClockStore {

  /** The longest time between two samples of one unbroken observation. */
  static final Duration LONGEST_GAP = Duration.ofMinutes(2);

  /** The same in PromQL: a question brings the highest activity of this window. */
  static final String WINDOW = "2m";

  /**
   * What one answer says of it.
   *
   * @param sampledAt the newest sample
   * @param active whether there was work within {@link #LONGEST_GAP} before the answer
   */
  record ClockReading(Instant sampledAt, boolean active) {}

  private final AtomicReference<Map<PodDevice, ActivityClock>> clocks =
      new AtomicReference<>(Map.of());

  /** Moves all clocks on; those of devices that are no longer held are forgotten. */
  Map<PodDevice, ActivityClock> advance(Map<PodDevice, ClockReading> readings, Instant at) {
    Map<PodDevice, ActivityClock> now = advanced(readings, at);
    Map<PodDevice, ActivityClock> kept = new HashMap<>(now);
    clocks.get().forEach((device, clock) -> keep(kept, device, clock, at));
    clocks.set(Map.copyOf(kept));
    return now;
  }

  /** What the clocks would be; they stay as they are. */
  Map<PodDevice, ActivityClock> advanced(Map<PodDevice, ClockReading> readings, Instant at) {
    Map<PodDevice, ActivityClock> before = clocks.get();
    Map<PodDevice, ActivityClock> now = HashMap.newHashMap(readings.size());
    readings.forEach(
        (device, reading) ->
            now.put(
                device,
                ActivityClock.next(
                    Optional.ofNullable(before.get(device)),
                    reading.sampledAt(),
                    reading.active(),
                    at.minus(LONGEST_GAP),
                    LONGEST_GAP)));
    return now;
  }

  /**
   * An answer may have left it out once; a clock older than the longest gap starts again anyway.
   */
  private static void keep(
      Map<PodDevice, ActivityClock> kept, PodDevice device, ActivityClock clock, Instant at) {
    if (!clock.observedUntil().isBefore(at.minus(LONGEST_GAP))) {
      kept.putIfAbsent(device, clock);
    }
  }

  /**
   * Activity of one device of one pod, by the samples so far.
   *
   * @param observedSince start of the unbroken observation
   * @param observedUntil the newest sample
   * @param lastActive absent if never since {@code observedSince}
   */
  record ActivityClock(Instant observedSince, Instant observedUntil, Optional<Instant> lastActive) {

    /**
     * The next state.
     *
     * @param before the last state; nothing if the device was not known
     * @param sampledAt when the newest sample was taken
     * @param active whether it, or any sample since {@code coveredSince}, shows work
     * @param coveredSince from when on the samples are known
     * @param longestGap between two samples of one observation
     */
    static ActivityClock next(
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

    /**
     * A sample of before the last one, as after a switch to another replica, is a break as well.
     */
    private boolean reaches(Instant sampledAt, Instant coveredSince, Duration longestGap) {
      return !sampledAt.isBefore(observedUntil)
          && !observedUntil.isBefore(coveredSince)
          && Duration.between(observedUntil, sampledAt).compareTo(longestGap) <= 0;
    }
  }
}
