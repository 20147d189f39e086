package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.reclaimer.activity.Observation.Blind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Notices that the clock of a Prometheus was set back. What it has stored for the time that comes
 * once more is older than it says, and what it scrapes now it refuses as out of order; so nothing
 * is known until that time has passed. Safe for any thread.
 */
final class SourceTime {
  private static final Duration TOLERATED = Duration.ofSeconds(30);

  private final AtomicReference<Instant> latest = new AtomicReference<>(Instant.EPOCH);

  /** Why an answer of that time cannot be believed; empty if it can. */
  Optional<Blind> objection(Instant at) {
    Instant known = latest.accumulateAndGet(at, (one, other) -> one.isAfter(other) ? one : other);
    return at.isBefore(known.minus(TOLERATED))
        ? Optional.of(
            new Blind(
                "the source's clock was set back: expected an answer of "
                    + known
                    + " or later, found one of "
                    + at
                    + "; until then what it stored is older than it says"))
        : Optional.empty();
  }
}
