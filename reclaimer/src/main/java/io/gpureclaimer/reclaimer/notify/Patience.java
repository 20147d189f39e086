package io.gpureclaimer.reclaimer.notify;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** How long the cycle may wait for receivers in a minute. Confined to its thread. */
final class Patience {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Duration allowed;
  private final Clock clock;
  private Instant since = Instant.MIN;
  private Duration spent = Duration.ZERO;

  Patience(Duration allowed, Clock clock) {
    this.allowed = allowed;
    this.clock = clock;
  }

  /** Waits for an answer, or says at once that there is no time left for it. */
  Optional<String> spend(Supplier<Optional<String>> answer) {
    Instant begin = clock.instant();
    if (since.isBefore(begin.minus(MINUTE))) {
      since = begin;
      spent = Duration.ZERO;
    }
    if (spent.compareTo(allowed) >= 0) {
      return Optional.of(
          "the receivers have taken "
              + spent.toMillis()
              + " ms of this minute, the rest has to wait");
    }
    long start = System.nanoTime();
    Optional<String> failure = answer.get();
    spent = spent.plusNanos(System.nanoTime() - start);
    return failure;
  }
}
