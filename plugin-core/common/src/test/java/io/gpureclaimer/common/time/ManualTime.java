package io.gpureclaimer.common.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** Wall clock and monotonic clock that advance only when a test says so. */
public final class ManualTime implements InstantSource, MonotonicClock {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  private final AtomicLong nanos = new AtomicLong();

  public void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  @Override
  public Instant instant() {
    return START.plusNanos(nanos.get());
  }

  @Override
  public long nanos() {
    return nanos.get();
  }
}
