package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.show.AnsweringReplica;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What all pages show around their content.
 *
 * @param at when the cycle began whose results are shown; absent before the first
 * @param replica that answers, in words
 * @param problems why nothing is reclaimed at present; each is a sentence
 */
public record PageFrame(Optional<Instant> at, String replica, List<String> problems) {
  public PageFrame {
    problems = List.copyOf(problems);
  }

  /** Around the results of a cycle. */
  public static PageFrame of(CycleReport report, AnsweringReplica replica) {
    return new PageFrame(
        Optional.of(report.at()),
        replica.sentence(),
        Stream.concat(blind(report).stream(), breaker(report)).toList());
  }

  /** Before the first cycle. */
  public static PageFrame beforeTheFirstCycle(AnsweringReplica replica) {
    return new PageFrame(Optional.empty(), replica.sentence(), List.of());
  }

  private static Optional<String> blind(CycleReport report) {
    return switch (report.observation()) {
      case Observation.Blind(String reason) ->
          Optional.of(
              "The activity of all GPUs is unknown, so nothing is reclaimed: " + reason + ".");
      case Observation.Seen _ -> Optional.empty();
    };
  }

  private static Stream<String> breaker(CycleReport report) {
    return report.breaker().reasons().stream()
        .filter(why -> !(why instanceof BreakerReason.Blind))
        .map(
            why -> "The circuit breaker is open, so nothing new is begun: " + why.sentence() + ".");
  }
}
