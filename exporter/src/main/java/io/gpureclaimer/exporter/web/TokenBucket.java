package io.gpureclaimer.exporter.web;

import java.util.function.LongSupplier;

/** Holds a {@link RateLimit}; full at first. For any thread. */
final class TokenBucket {
  private final RateLimit limit;
  private final LongSupplier nanoTime;
  private double tokens;
  private long filledAt;

  /**
   * @param nanoTime a clock that nobody sets, in nanoseconds
   */
  TokenBucket(RateLimit limit, LongSupplier nanoTime) {
    this.limit = limit;
    this.nanoTime = nanoTime;
    tokens = limit.burst();
    filledAt = nanoTime.getAsLong();
  }

  /** Takes a token, if there is one. */
  synchronized boolean take() {
    long now = nanoTime.getAsLong();
    double come = (double) (now - filledAt) / limit.interval().toNanos();
    filledAt = now;
    tokens = Math.min(limit.burst(), tokens + come);
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
