package io.gpureclaimer.nvml;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that moves when it is told to; both a wall clock and one that counts nanoseconds. */
public final class ManualTime implements InstantSource, LongSupplier {
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
  public long getAsLong() {
    return nanos.get();
  }
}
