package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Why the circuit breaker is open: nothing new is begun, no warning and no action. Warnings that no
 * longer hold are withdrawn all the same.
 */
public sealed interface BreakerReason {

  /** The source did not answer, or not completely. */
  record Blind(String reason) implements BreakerReason {}

  /** The source's clock and ours disagree. */
  record ClockSkew(Instant source, Instant ours, Duration allowed) implements BreakerReason {}

  /** The source has just started and may not have all series yet. */
  record FreshSource(Instant startedAt, Instant until) implements BreakerReason {}

  /** Too many pods with GPUs are not observed. */
  record LowCoverage(int seen, int expected, double minimum) implements BreakerReason {}

  /**
   * Suddenly far more GPUs of the same pods are idle, which is more often a fault than the truth.
   *
   * @param from the share of before
   * @param to the share of now
   * @param until when it is believed, if it lasts
   */
  record IdleJump(double from, double to, Instant until) implements BreakerReason {}

  /** This replica has just begun to lead. */
  record FreshLeader(Instant since, Instant until) implements BreakerReason {}

  /** The names of all reasons. */
  List<String> CODES =
      List.of("blind", "clock-skew", "fresh-source", "low-coverage", "idle-jump", "fresh-leader");

  /** Stable name, for metrics and JSON. */
  default String code() {
    return switch (this) {
      case Blind _ -> "blind";
      case ClockSkew _ -> "clock-skew";
      case FreshSource _ -> "fresh-source";
      case LowCoverage _ -> "low-coverage";
      case IdleJump _ -> "idle-jump";
      case FreshLeader _ -> "fresh-leader";
    };
  }

  /** One English sentence, without the final stop. */
  default String sentence() {
    return switch (this) {
      case Blind(String reason) -> "nothing is known of any GPU: " + reason;
      case ClockSkew(var source, var ours, var allowed) ->
          "the clocks of the activity source ("
              + seconds(source)
              + ") and of the reclaimer ("
              + seconds(ours)
              + ") differ by more than "
              + Durations.format(allowed);
      case FreshSource(var startedAt, var until) ->
          "the source has only been running since "
              + seconds(startedAt)
              + "; it is relied on from "
              + seconds(until);
      case LowCoverage(int seen, int expected, double minimum) ->
          "only "
              + seen
              + " of "
              + expected
              + " pods with GPUs are observed, expected at least "
              + percent(minimum);
      case IdleJump(double from, double to, var until) ->
          "the share of idle GPUs jumped from "
              + percent(from)
              + " to "
              + percent(to)
              + "; the higher share is accepted if it lasts until "
              + seconds(until);
      case FreshLeader(var since, var until) ->
          "this replica has only been leading since "
              + seconds(since)
              + "; it acts from "
              + seconds(until);
    };
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }

  private static Instant seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }
}
