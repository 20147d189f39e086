package io.gpureclaimer.reclaimer.cluster.simulated;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. */
final class FakeClock implements InstantSource {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = START;

  @Override
  public Instant instant() {
    return now;
  }

  void advance(Duration by) {
    now = now.plus(by);
  }
}
