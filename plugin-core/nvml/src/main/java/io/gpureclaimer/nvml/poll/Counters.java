package io.gpureclaimer.nvml.poll;

import org.jspecify.annotations.Nullable;

/**
 * What a GPU counts since it was last started: by a reset, or by the driver that was loaded.
 *
 * @param millijoules energy; null if not told
 * @param doubleBitErrors errors of its memory that could not be corrected; null if not told
 */
public record Counters(@Nullable Long millijoules, @Nullable Long doubleBitErrors) {
  /** Nothing is told. */
  public static final Counters UNTOLD = new Counters(null, null);

  /** Whether the GPU was started anew since then: something that only grows is less now. */
  public boolean startedAnewSince(Counters before) {
    return isLess(millijoules, before.millijoules)
        || isLess(doubleBitErrors, before.doubleBitErrors);
  }

  /** What it did not tell now is as it was. */
  public Counters or(Counters before) {
    return new Counters(
        millijoules == null ? before.millijoules : millijoules,
        doubleBitErrors == null ? before.doubleBitErrors : doubleBitErrors);
  }

  private static boolean isLess(@Nullable Long now, @Nullable Long before) {
    return now != null && before != null && now < before;
  }
}
