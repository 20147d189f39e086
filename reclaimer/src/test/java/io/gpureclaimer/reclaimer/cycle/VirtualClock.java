package io.gpureclaimer.reclaimer.cycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until it is moved. */
public final class VirtualClock extends Clock {
  static final Instant START = Instant.parse("2026-03-02T08:00:00Z");

  private Instant now;

  VirtualClock() {
    this(START);
  }

  public VirtualClock(Instant start) {
    this.now = start;
  }

  public void advance(Duration by) {
    now = now.plus(by);
  }

  @Override
  public Instant instant() {
    return now;
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
