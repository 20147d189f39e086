package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.evidence.IdlePast.IdleOutcomes;
import java.time.Duration;

/** What followed in the last days when a workload was idle for as long as it is now. */
public sealed interface OwnPast {
  /** Nothing was read. */
  OwnPast NONE = new Unread("its past is not read");

  /**
   * Outcomes of idle periods.
   *
   * @param periods how many lasted as long
   * @param ended how many of them ended within the next hour
   * @param length how far back was read
   */
  record Counted(int periods, int ended, Duration length) implements OwnPast {
    public Counted {
      if (ended < 0 || ended > periods) {
        throw new IllegalArgumentException(
            "expected 0 to " + periods + " ended periods, found " + ended);
      }
    }

    /** The same with how far back was read. */
    public static Counted of(IdleOutcomes outcomes, Duration length) {
      return new Counted(outcomes.periods(), outcomes.ended(), length);
    }
  }

  /** Nothing is known, for a reason in words. */
  record Unread(String why) implements OwnPast {}
}
