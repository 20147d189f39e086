package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.time.Durations;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Says why the circuit breaker is open, in one English sentence without the final stop. */
public final class TripSentence {
  private TripSentence() {}

  /** The sentence. */
  public static String of(Trip trip) {
    return switch (trip) {
      case Trip.Blind(String reason) -> "nothing is known of any GPU: " + reason;
      case Trip.ClockSkew(var source, var ours, var allowed) ->
          "the source answered at "
              + seconds(source)
              + " by its clock, ours says "
              + seconds(ours)
              + ", which is more than "
              + Durations.format(allowed)
              + " apart";
      case Trip.FreshSource(var startedAt, var until) ->
          "the source has only been running since "
              + seconds(startedAt)
              + "; it is relied on from "
              + seconds(until);
      case Trip.LowCoverage(int seen, int expected, double minimum) ->
          "only "
              + seen
              + " of "
              + expected
              + " pods with GPUs are observed, expected at least "
              + percent(minimum);
      case Trip.IdleJump(double from, double to, var until) ->
          "the share of idle GPUs jumped from "
              + percent(from)
              + " to "
              + percent(to)
              + "; it is believed if it lasts until "
              + seconds(until);
      case Trip.FreshLeader(var since, var until) ->
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
