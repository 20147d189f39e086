package io.gpureclaimer.exporter.schedule;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps passes apart: after one that took long, a fixed rate would make up for the missed ones all
 * at once. Confined to the thread that ticks.
 */
final class Pace {
  private final long shortestNanos;
  private final LongSupplier nanoTime;
  private @Nullable Long last;

  Pace(Duration interval, LongSupplier nanoTime) {
    this.shortestNanos = interval.toNanos() / 2;
    this.nanoTime = nanoTime;
  }

  /** True unless the last due tick was less than half an interval ago. */
  boolean isDue() {
    long now = nanoTime.getAsLong();
    if (last != null && now - last < shortestNanos) {
      return false;
    }
    last = now;
    return true;
  }
}
