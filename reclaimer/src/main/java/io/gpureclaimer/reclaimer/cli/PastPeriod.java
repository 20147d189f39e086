package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.evidence.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** What commands say about a period of the past that they cannot evaluate. */
final class PastPeriod {
  private static final long MOST_LOOKS = 200_000;

  private PastPeriod() {}

  /** The rule that the flags break; empty if they break none. */
  static Optional<String> mistake(Instant from, Instant to, Instant now, Duration step) {
    if (to.isAfter(now)) {
      return Optional.of("--until must not be in the future, was " + to);
    }
    if (!step.isPositive()) {
      return Optional.of("--step must be at least 1s, was 0s");
    }
    if (from.plus(step).isAfter(to)) {
      return Optional.of(
          "--since must be at least one --step before --until, was " + from + " and " + to);
    }
    long looks = Duration.between(from, to).dividedBy(step);
    return looks > MOST_LOOKS
        ? Optional.of(
            "from --since to --until must be at most "
                + MOST_LOOKS
                + " of --step, was "
                + looks
                + "; lengthen --step")
        : Optional.empty();
  }

  /** Where no pod was seen at any step. */
  static String nothingRecorded(TimeRange range, Collection<String> namespaces) {
    return "nothing is recorded of any pod's GPU"
        + (namespaces.isEmpty() ? "" : " in " + String.join(", ", namespaces))
        + " between "
        + range.from()
        + " and "
        + range.to()
        + ": the Prometheus keeps nothing that is so old, no agent was scraped then, or no"
        + " pod held a GPU";
  }
}
