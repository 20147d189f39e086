package io.gpureclaimer.core.labels;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long to wait after a failure: twice as long as after the one before, up to a longest, and
 * spread so that the nodes of a cluster do not come back together.
 *
 * @param first after the first failure
 * @param longest never more than that, spread aside
 * @param spread a number from 0 to 1, another one each time
 */
public record RetryPause(Duration first, Duration longest, DoubleSupplier spread) {
  private static final double LEAST = 0.75;
  private static final double BREADTH = 0.5;
  private static final int MOST_DOUBLINGS = 20;

  public RetryPause {
    if (!first.isPositive() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "the first pause must be positive and no longer than the longest, was "
              + first
              + " of at most "
              + longest);
    }
  }

  Duration after(int failures) {
    Duration doubled = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
    Duration bounded = doubled.compareTo(longest) > 0 ? longest : doubled;
    double factor = LEAST + BREADTH * spread.getAsDouble();
    return Duration.ofNanos(Math.round(bounded.toNanos() * factor));
  }
}
