package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
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
 * @param person who reads it; empty if it is not known, and then nothing can be changed
 * @param isWhole whether all namespaces are shown
 * @param version the same for the same content; an update with it is not sent again
 */
public record PageFrame(
    Optional<Instant> at,
    String replica,
    List<String> problems,
    Optional<ApiUser> person,
    boolean isWhole,
    String version) {
  public PageFrame {
    problems = List.copyOf(problems);
  }

  /** Around the results of a cycle. */
  public static PageFrame of(
      CycleReport report, AnsweringReplica replica, Optional<ApiUser> person, boolean isWhole) {
    return new PageFrame(
        Optional.of(report.at()),
        replica.sentence(),
        Stream.concat(blind(report).stream(), breaker(report)).toList(),
        person,
        isWhole,
        version(report, replica, person));
  }

  /** Before the first cycle. */
  public static PageFrame beforeTheFirstCycle(AnsweringReplica replica) {
    return new PageFrame(
        Optional.empty(), replica.sentence(), List.of(), Optional.empty(), false, "");
  }

  private static String version(
      CycleReport report, AnsweringReplica replica, Optional<ApiUser> person) {
    return report.at().toEpochMilli()
        + "-"
        + Integer.toHexString(report.namespaces().hashCode())
        + "-"
        + Integer.toHexString(replica.hashCode())
        + "-"
        + Integer.toHexString(person.map(ApiUser::name).orElse("").hashCode());
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
            why ->
                "The circuit breaker is open, so no new warning or action begins: "
                    + why.sentence()
                    + ".");
  }
}
