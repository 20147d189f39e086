package io.gpureclaimer.exporter.web;

import io.gpureclaimer.common.time.MonotonicClock;

/** Holds a {@link RateLimit}; full at first. For any thread. */
final class TokenBucket {
  private final RateLimit limit;
  private final MonotonicClock monotonic;
  private double tokens;
  private long filledAt;

  /**
   * @param monotonic monotonic clock
   */
  TokenBucket(RateLimit limit, MonotonicClock monotonic) {
    this.limit = limit;
    this.monotonic = monotonic;
    tokens = limit.burst();
    filledAt = monotonic.nanos();
  }

  /** Takes a token, if there is one. */
  synchronized boolean take() {
    long now = monotonic.nanos();
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
