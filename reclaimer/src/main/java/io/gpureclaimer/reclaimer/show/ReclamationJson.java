package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.json.Json;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** JSON of the record of an action; its names are stable. Nothing restores an evicted pod. */
@Serdeable
public record ReclamationJson(
    String namespace,
    String name,
    String kind,
    String owner,
    String action,
    int gpus,
    String state,
    String message,
    Instant recordedAt,
    Optional<Instant> endedAt,
    Optional<String> howToRestore) {

  /** The records of actions. */
  @Serdeable
  record ListJson(int schema, Instant at, List<ReclamationJson> reclamations) {}

  /** One object with all records; empty while they cannot be read. */
  public static Optional<String> list(CycleReport report) {
    return of(report)
        .map(records -> Json.indented(new ListJson(PlanJson.SCHEMA, report.at(), records)));
  }

  /** Empty while the records cannot be read. */
  static Optional<List<ReclamationJson>> of(CycleReport report) {
    return report
        .cluster()
        .reclamations()
        .map(
            records ->
                records.stream()
                    .flatMap(record -> record.status().map(status -> of(record, status)).stream())
                    .toList());
  }

  private static ReclamationJson of(Reclamation record, ReclamationProgress progress) {
    return new ReclamationJson(
        record.namespace(),
        record.name(),
        progress.owner().kind(),
        progress.owner().name(),
        progress.action(),
        progress.devices(),
        progress.state().text(),
        progress.message(),
        progress.times().recordedAt(),
        progress.times().endedAt(),
        progress.isEviction() ? Optional.empty() : Optional.of(record.howToRestore()));
  }
}
