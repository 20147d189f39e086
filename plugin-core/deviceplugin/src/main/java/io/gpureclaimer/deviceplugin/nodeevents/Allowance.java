package io.gpureclaimer.deviceplugin.nodeevents;

import java.time.Duration;
import java.time.Instant;

/**
 * How many Events may be written: some at once, and then now and then another. Confined to one
 * thread.
 */
final class Allowance {
  /** As many as the components of Kubernetes allow themselves for one object. */
  private static final int MOST = 25;

  private static final Duration ANOTHER_AFTER = Duration.ofMinutes(5);

  private int left = MOST;
  private Instant counted = Instant.MIN;

  /** Whether one more is within it, which then is used up. */
  boolean take(Instant now) {
    refill(now);
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }

  private void refill(Instant now) {
    if (left == MOST || now.isBefore(counted)) {
      counted = now;
      return;
    }
    long more = Duration.between(counted, now).dividedBy(ANOTHER_AFTER);
    left = (int) Math.min(MOST, left + more);
    counted = counted.plus(ANOTHER_AFTER.multipliedBy(more));
  }
}
