package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.show.ExplainText.ExplainLine;
import io.gpureclaimer.reclaimer.show.ExplainText.ExplainSection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** An action on an owner, from the idle time that led to it to its end. */
record ActionTimeline(Reclamation record, ReclamationProgress progress) {

  /** Those of the records, the newest first. */
  static List<ActionTimeline> of(List<Reclamation> records) {
    return records.stream()
        .flatMap(
            record -> record.status().stream().map(status -> new ActionTimeline(record, status)))
        .sorted(
            Comparator.comparing((ActionTimeline one) -> one.progress().times().recordedAt())
                .reversed())
        .toList();
  }

  WorkloadLink owner() {
    return WorkloadLink.of(progress.owner());
  }

  String state() {
    return progress.state().text();
  }

  ExplainSection section() {
    Timeline times = progress.times();
    var lines = new ArrayList<ExplainLine>();
    lines.add(new ExplainLine("state", message()));
    lines.add(new ExplainLine("action", progress.action() + ", of " + gpus()));
    progress.pendingPod().ifPresent(pod -> lines.add(new ExplainLine("for pod", pod)));
    lines.add(new ExplainLine("evidence", progress.evidence()));
    lines.add(line("idle since", times.idleSince()));
    lines.add(line("warned", times.warnedAt()));
    lines.add(line("recorded", times.recordedAt()));
    addIfKnown(lines, "acted", times.actedAt());
    addIfKnown(lines, "reclaimed", times.reclaimedAt());
    addIfKnown(lines, "restoring", times.restoringAt());
    addIfKnown(lines, "ended", times.endedAt());
    if (!progress.state().isFinal()) {
      lines.add(new ExplainLine("restore", record.howToRestore()));
    }
    return new ExplainSection("RECLAMATION " + record.name(), lines);
  }

  private String message() {
    return progress.message().isEmpty() ? state() : state() + ": " + progress.message();
  }

  private String gpus() {
    return progress.devices() + (progress.devices() == 1 ? " GPU" : " GPUs");
  }

  private static void addIfKnown(List<ExplainLine> lines, String key, Optional<Instant> at) {
    at.ifPresent(known -> lines.add(line(key, known)));
  }

  private static ExplainLine line(String key, Instant at) {
    return new ExplainLine(key, at.truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
