package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.common.time.MonotonicClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a minimum time between passes: after a long pass, a fixed rate would run the missed ones at
 * once. Confined to the thread that ticks.
 */
final class TickLimiter {
  private final long shortestNanos;
  private final MonotonicClock monotonic;
  private @Nullable Long last;

  TickLimiter(Duration interval, MonotonicClock monotonic) {
    this.shortestNanos = interval.toNanos() / 2;
    this.monotonic = monotonic;
  }

  /** True unless the last due tick was less than half an interval ago. */
  boolean isDue() {
    long now = monotonic.nanos();
    if (last != null && now - last < shortestNanos) {
      return false;
    }
    last = now;
    return true;
  }
}
