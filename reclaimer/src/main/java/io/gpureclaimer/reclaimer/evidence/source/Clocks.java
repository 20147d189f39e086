package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.evidence.ActivityClock;
import io.gpureclaimer.reclaimer.evidence.PodKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The clocks of all devices in all pods' hands, for a Prometheus that keeps none. They start when
 * this program does, so that it knows of no idleness before. Safe for any thread.
 */
final class Clocks {

  /** The longest time between two samples of one unbroken observation. */
  static final Duration LONGEST_GAP = Duration.ofMinutes(2);

  /** The same in PromQL: a question brings the highest activity of this window. */
  static final String WINDOW = "2m";

  /** One device in one pod's hands. */
  record Held(PodKey pod, Entity device) {}

  /**
   * What one answer says of it.
   *
   * @param sampledAt the newest sample
   * @param active whether there was work within {@link #LONGEST_GAP} before the answer
   */
  record Reading(Instant sampledAt, boolean active) {}

  private final AtomicReference<Map<Held, ActivityClock>> clocks = new AtomicReference<>(Map.of());

  /** Moves all clocks on; those of devices that nobody holds any more are forgotten. */
  Map<Held, ActivityClock> advance(Map<Held, Reading> readings, Instant at) {
    Map<Held, ActivityClock> now = advanced(readings, at);
    Map<Held, ActivityClock> kept = new HashMap<>(now);
    clocks.get().forEach((held, clock) -> keep(kept, held, clock, at));
    clocks.set(Map.copyOf(kept));
    return now;
  }

  /** What the clocks would be; they stay as they are. */
  Map<Held, ActivityClock> advanced(Map<Held, Reading> readings, Instant at) {
    Map<Held, ActivityClock> before = clocks.get();
    Map<Held, ActivityClock> now = HashMap.newHashMap(readings.size());
    readings.forEach(
        (held, reading) ->
            now.put(
                held,
                ActivityClock.next(
                    Optional.ofNullable(before.get(held)),
                    reading.sampledAt(),
                    reading.active(),
                    at.minus(LONGEST_GAP),
                    LONGEST_GAP)));
    return now;
  }

  /** An answer may have left it out once; what is older than the longest gap starts anew anyway. */
  private static void keep(
      Map<Held, ActivityClock> kept, Held held, ActivityClock clock, Instant at) {
    if (!clock.observedUntil().isBefore(at.minus(LONGEST_GAP))) {
      kept.putIfAbsent(held, clock);
    }
  }
}
