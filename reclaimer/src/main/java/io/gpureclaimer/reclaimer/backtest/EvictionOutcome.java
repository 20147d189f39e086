package io.gpureclaimer.reclaimer.backtest;

import java.time.Instant;

/** What really became of a pod that would have been taken. */
public sealed interface EvictionOutcome {

  /**
   * It came back to work: it would have been missed.
   *
   * @param at when it was seen idle for the last time, which is before it worked by a look at most
   */
  record BackToWork(Instant at) implements EvictionOutcome {}

  /** It was idle to the end of the range. */
  record StillIdle() implements EvictionOutcome {}

  /**
   * It went away without having worked again.
   *
   * @param at when it was seen for the last time
   */
  record Gone(Instant at) implements EvictionOutcome {}

  /**
   * Nobody knows: it was not watched without a gap.
   *
   * @param from when it was seen idle for the last time
   */
  record Unwatched(Instant from) implements EvictionOutcome {}
}
