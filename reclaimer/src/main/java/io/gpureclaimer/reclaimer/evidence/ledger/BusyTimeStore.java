package io.gpureclaimer.reclaimer.evidence.ledger;

import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodDevice;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Busy times of the devices whose last activity is not recent. An agent adds to the busy time only
 * when it moves the last activity, so a busy time that grows alone contradicts the record. Safe for
 * any thread.
 */
public final class BusyTimeStore {
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);
  private static final double TOLERATED_SECONDS = 2;
  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final AtomicReference<Map<PodDevice, BusyTime>> times = new AtomicReference<>(Map.of());

  /**
   * What the record of a device says.
   *
   * @param lastActive the last activity
   * @param until the newest observation
   * @param busySeconds the busy time by then
   */
  record BusyReading(Instant lastActive, Instant until, double busySeconds) {}

  /**
   * The newest reading of a device, and the last contradiction.
   *
   * @param growth the last growth of the busy time without activity; empty if there was none since
   *     that last activity
   */
  record BusyTime(BusyReading reading, Optional<BusyGrowth> growth) {}

  /**
   * A growth of the busy time that the last activity does not explain.
   *
   * @param until when it was found, by the clock of the node
   * @param seconds by how much the busy time grew
   */
  record BusyGrowth(Instant until, double seconds) {}

  /** By how many seconds a busy time may grow without activity: older agents count noise. */
  static double tolerated(Duration elapsed) {
    return TOLERATED_SECONDS
        + elapsed.toMillis() / MILLIS_PER_SECOND * ActivityField.THRESHOLD_PERCENT / 100;
  }

  /** Adds the readings of all pods. */
  Map<PodDevice, BusyTime> advance(Map<PodDevice, BusyReading> readings, Instant at) {
    Map<PodDevice, BusyTime> now = advanced(readings);
    Map<PodDevice, BusyTime> kept = new HashMap<>(now);
    Instant since = at.minus(FORGOTTEN_AFTER);
    times
        .get()
        .forEach(
            (device, time) -> {
              if (time.reading().until().isAfter(since)) {
                kept.putIfAbsent(device, time);
              }
            });
    times.set(Map.copyOf(kept));
    return now;
  }

  /** What the busy times would be; they stay as they are. */
  Map<PodDevice, BusyTime> advanced(Map<PodDevice, BusyReading> readings) {
    Map<PodDevice, BusyTime> before = times.get();
    Map<PodDevice, BusyTime> now = HashMap.newHashMap(readings.size());
    readings.forEach(
        (device, reading) ->
            now.put(device, next(Optional.ofNullable(before.get(device)), reading)));
    return now;
  }

  private static BusyTime next(Optional<BusyTime> before, BusyReading now) {
    return before
        .filter(time -> time.reading().lastActive().equals(now.lastActive()))
        .map(time -> new BusyTime(now, growth(time.reading(), now).or(time::growth)))
        .orElseGet(() -> new BusyTime(now, Optional.empty()));
  }

  private static Optional<BusyGrowth> growth(BusyReading before, BusyReading now) {
    double seconds = now.busySeconds() - before.busySeconds();
    return seconds > tolerated(Duration.between(before.until(), now.until()))
        ? Optional.of(new BusyGrowth(now.until(), seconds))
        : Optional.empty();
  }
}
