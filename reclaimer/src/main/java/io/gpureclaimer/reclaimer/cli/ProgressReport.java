package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Progress through a range of the past, on the standard error. Confined to one thread at a time.
 */
final class ProgressReport {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final double PERCENT = 100;

  private final String what;
  private final TimeRange range;
  private final Clock clock;
  private final Instant began;
  private Instant reported;

  /**
   * @param what is read, for people
   */
  ProgressReport(String what, TimeRange range, Clock clock) {
    this.what = what;
    this.range = range;
    this.clock = clock;
    this.began = clock.instant();
    this.reported = began;
  }

  /** Says how far it is and how long the rest will take, at most every ten seconds. */
  void reached(Instant at) {
    Instant now = clock.instant();
    if (Duration.between(reported, now).compareTo(EVERY) < 0 || !at.isAfter(range.from())) {
      return;
    }
    reported = now;
    double whole = range.length().toSeconds();
    double done = Duration.between(range.from(), at).toSeconds();
    double left = Duration.between(began, now).toSeconds() * (whole - done) / done;
    System.err.println(
        "gpu-reclaimer: "
            + what
            + " until "
            + at
            + ", "
            + Math.round(PERCENT * done / whole)
            + " %, about "
            + Durations.format(Duration.ofSeconds(Math.round(left)))
            + " left");
  }
}
