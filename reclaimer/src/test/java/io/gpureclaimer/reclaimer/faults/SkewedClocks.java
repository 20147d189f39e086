package io.gpureclaimer.reclaimer.faults;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/** The time that it is, and clocks that are wrong about it. Safe for any thread. */
final class SkewedClocks {
  static final Instant START = Instant.parse("2026-03-02T08:00:00Z");

  private volatile Instant now = START;

  Instant now() {
    return now;
  }

  /** Moved by the thread of the run alone, or by a server while that one waits for its answer. */
  void moveTo(Instant later) {
    now = later;
  }

  /** A clock that is ahead by so much. */
  Clock ahead(Supplier<Duration> error) {
    return new ShownTime(error);
  }

  private final class ShownTime extends Clock {
    private final Supplier<Duration> error;

    private ShownTime(Supplier<Duration> error) {
      this.error = error;
    }

    @Override
    public Instant instant() {
      return now.plus(error.get());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("there is only UTC");
    }
  }
}
