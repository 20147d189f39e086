package io.gpureclaimer.reclaimer.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A workload that somebody wants to keep for a while, however idle it is.
 *
 * @param atMost how long it may have been idle without ever working until the wish no longer
 *     counts; absent where an administrator wishes it
 */
public record Keep(Instant until, Optional<Duration> atMost) {

  /** Whether it keeps a workload that has been idle for so long. */
  public boolean holds(Duration idleFor, Instant now) {
    return now.isBefore(until) && atMost.filter(most -> idleFor.compareTo(most) >= 0).isEmpty();
  }
}
