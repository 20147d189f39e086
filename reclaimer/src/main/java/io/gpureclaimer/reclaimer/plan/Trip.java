package io.gpureclaimer.reclaimer.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A reason for which the circuit breaker is open: nothing new is begun, no warning and no act.
 * Warnings that no longer hold are taken back all the same.
 */
public sealed interface Trip {

  /** The source did not answer, or not completely. */
  record Blind(String reason) implements Trip {}

  /** The source's clock and ours disagree. */
  record ClockSkew(Instant source, Instant ours, Duration allowed) implements Trip {}

  /** The source has just started and may not have all series yet. */
  record FreshSource(Instant startedAt, Instant until) implements Trip {}

  /** Too many pods with GPUs are not observed. */
  record LowCoverage(int seen, int expected, double minimum) implements Trip {}

  /**
   * Suddenly far more GPUs are idle than before, which is more often a fault than the truth.
   *
   * @param from the share of before
   * @param to the share of now
   * @param until when it is believed, if it lasts
   */
  record IdleJump(double from, double to, Instant until) implements Trip {}

  /** This replica has just begun to lead. */
  record FreshLeader(Instant since, Instant until) implements Trip {}

  /** The names of all reasons. */
  List<String> CODES =
      List.of("blind", "clock-skew", "fresh-source", "low-coverage", "idle-jump", "fresh-leader");

  /** The stable name, for metrics and JSON. */
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
}
