package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How often the agent reads the GPUs. Bound from {@code sampling.*}.
 *
 * @param interval time between the starts of two passes; from 100 ms to one hour
 * @param turnDeadline deadline of the poll of one GPU, after which it counts as hung
 * @param introduceAfter pause after a failed attempt to identify a GPU
 * @param staleAfter age from which on a snapshot is no longer served; at least twice {@code
 *     interval}; default: five times {@code interval}, at least 5s
 */
@Context
@ConfigurationProperties("sampling")
public record SamplingConfig(
    Duration interval,
    Duration turnDeadline,
    Duration introduceAfter,
    @Nullable Duration staleAfter) {

  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);
  private static final Duration LONGEST_LEDGER_INTERVAL = Duration.ofSeconds(2);
  private static final Duration SHORTEST_STALE_AFTER = Duration.ofSeconds(5);

  public SamplingConfig {
    if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "sampling.interval must be from 100ms to 1h, was " + interval.toMillis() + "ms");
    }
    requirePositive("sampling.turn-deadline", turnDeadline);
    requirePositive("sampling.introduce-after", introduceAfter);
    if (staleAfter != null && staleAfter.compareTo(interval.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "sampling.stale-after must be at least twice sampling.interval, was "
              + staleAfter.toMillis()
              + "ms");
    }
  }

  /** Age from which on a snapshot is not served. */
  public Duration longestServed() {
    return staleAfter != null ? staleAfter : fiveIntervals();
  }

  /**
   * Time that one pass may take, however slow the GPUs are: it must be served before it is stale.
   */
  public Duration passDeadline() {
    return longestServed().multipliedBy(4).dividedBy(5);
  }

  /** Two observations of a holder further apart than this are not one, whatever the interval. */
  public Duration longestGap() {
    return LONGEST_GAP;
  }

  /**
   * Why no ledger can be kept, in one line for a human; empty if passes follow each other closely
   * enough to swear that a GPU did not work.
   */
  public Optional<String> whyNoLedger() {
    return interval.compareTo(LONGEST_LEDGER_INTERVAL) <= 0
        ? Optional.empty()
        : Optional.of(
            "sampling.interval is "
                + interval.toMillis()
                + " ms, and must be at most "
                + LONGEST_LEDGER_INTERVAL.toMillis()
                + " ms: utilization covers the last second only, and"
                + " most of the time would be unseen");
  }

  private Duration fiveIntervals() {
    var five = interval.multipliedBy(5);
    return five.compareTo(SHORTEST_STALE_AFTER) > 0 ? five : SHORTEST_STALE_AFTER;
  }

  private static void requirePositive(String property, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(
          property + " must be positive, was " + value.toMillis() + "ms");
    }
  }
}
