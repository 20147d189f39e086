package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.evidence.TimeRange;
import java.time.Duration;
import java.time.Instant;

/**
 * Some looks of a range, one behind the other, that are asked for at once.
 *
 * @param first the first look
 * @param step between two looks
 * @param looks how many; at least one
 */
public record Slice(Instant first, Duration step, long looks) {

  /**
   * A Prometheus answers a question about at most 11000 looks, and needs the longer for each of
   * them the more there are: it finds each sample's time by going through all before. 60 to 120 are
   * cheapest.
   */
  public static final long MOST_LOOKS = 120;

  /** The looks of a range from one on, at most so many. */
  public static Slice of(TimeRange range, long number, long atMost) {
    return new Slice(
        range.look(number), range.step(), Math.min(atMost, range.looks() - number + 1));
  }

  /** A few looks all over a range, the last of them the last of it. */
  public static Slice across(TimeRange range, int atMost) {
    long looks = Math.min(atMost, range.looks());
    Duration step = range.step().multipliedBy(range.looks() / looks);
    return new Slice(range.look(range.looks()).minus(step.multipliedBy(looks - 1)), step, looks);
  }

  Instant last() {
    return look(looks - 1);
  }

  /** One of them, from 0 on. */
  public Instant look(long index) {
    return first.plus(step.multipliedBy(index));
  }
}
