package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.evidence.IdlePast.IdleOutcomes;
import java.time.Duration;

/** What followed in the last days when a workload was idle for as long as it is now. */
public sealed interface OwnPast {
  /** Nothing was read. */
  OwnPast NONE = new Unread("its past is not read");

  /**
   * Outcomes of idle periods that lasted as long.
   *
   * @param all at any time of day
   * @param atThisTime of these, those that lasted as long at about this time of day
   * @param length how far back was read
   */
  record Counted(IdleOutcomes all, IdleOutcomes atThisTime, Duration length) implements OwnPast {}

  /** Nothing is known, for a reason in words. */
  record Unread(String why) implements OwnPast {}
}
