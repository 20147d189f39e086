package io.gpureclaimer.reclaimer.evidence;

import java.time.Duration;
import java.time.Instant;

/**
 * A stretch of time and its observations. Each observation stands for the step that ends with it,
 * so that the first is one step after the beginning.
 *
 * @param from where it begins
 * @param to where it ends
 * @param step between two observations, in whole seconds
 */
public record TimeRange(Instant from, Instant to, Duration step) {
  public TimeRange {
    if (step.toSeconds() < 1 || step.toNanosPart() != 0) {
      throw new IllegalArgumentException("step must be whole seconds, at least 1s, was " + step);
    }
    if (from.plus(step).isAfter(to)) {
      throw new IllegalArgumentException(
          "from " + from + " to " + to + " must be at least one step long, which is " + step);
    }
  }

  /**
   * The same or a little earlier, with observations at multiples of the step: a caching proxy of
   * Prometheus moves other ones there.
   */
  public TimeRange aligned() {
    return new TimeRange(aligned(from), aligned(to), step);
  }

  /** Part of the range from one step on, of at most so many steps. */
  public TimeRange slice(long number, long atMost) {
    long last = Math.min(number + atMost - 1, steps());
    return new TimeRange(at(number - 1), at(last), step);
  }

  /** A few steps across the whole range, the last of them its last one. */
  public TimeRange across(int atMost) {
    long steps = Math.min(atMost, steps());
    Duration longer = step.multipliedBy(steps() / steps);
    Instant last = at(steps());
    return new TimeRange(last.minus(longer.multipliedBy(steps)), last, longer);
  }

  private Instant aligned(Instant instant) {
    return instant.minusSeconds(Math.floorMod(instant.getEpochSecond(), step.toSeconds()));
  }

  /** How many steps there are; at least one. */
  public long steps() {
    return Duration.between(from, to).dividedBy(step);
  }

  /**
   * When one of them is.
   *
   * @param number from 1 on
   */
  public Instant at(long number) {
    return from.plus(step.multipliedBy(number));
  }

  /** How long it is, as far as its steps cover it. */
  public Duration length() {
    return step.multipliedBy(steps());
  }
}
