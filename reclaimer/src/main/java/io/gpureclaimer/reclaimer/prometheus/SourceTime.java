package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.reclaimer.activity.Observation.Blind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Notices that the clock of a Prometheus was set back: by the times of its answers, and by samples
 * that it has of a time to come, which show it to whoever begins to ask only then. What it has
 * stored for the time that comes once more is older than it says, and what it scrapes now it
 * refuses as out of order; so nothing is known until that time has passed, and nothing is known
 * about it ever. Safe for any thread.
 */
final class SourceTime {

  /** How far the question for samples of a time to come looks ahead, in PromQL. */
  static final String AHEAD = "5m";

  private static final Duration TOLERATED = Duration.ofSeconds(30);

  private final AtomicReference<Instant> latest = new AtomicReference<>(Instant.EPOCH);
  private final AtomicReference<Instant> unknownUntil = new AtomicReference<>(Instant.EPOCH);

  /**
   * Why an answer of that time cannot be believed; empty if it can.
   *
   * @param newest the newest sample that the source has, as far as it was asked
   */
  Optional<Blind> objection(Instant at, Optional<Instant> newest) {
    Instant known = latest.accumulateAndGet(later(at, newest.orElse(at)), SourceTime::later);
    if (!at.isBefore(known.minus(TOLERATED))) {
      return Optional.empty();
    }
    unknownUntil.accumulateAndGet(known, SourceTime::later);
    return Optional.of(
        new Blind(
            "the source's clock was set back: it has samples or answers of "
                + known
                + ", found an answer of "
                + at
                + "; until then what it stored is older than it says"));
  }

  /** The end of the last time that was lived through once more, as far as is known. */
  Instant unknownUntil() {
    return unknownUntil.get();
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
