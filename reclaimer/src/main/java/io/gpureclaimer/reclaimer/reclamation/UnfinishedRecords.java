package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Cluster.RecordResult;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.reclamation.FieldWriter.FieldContent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers unfinished records, and creates those again that are deleted while their owner is
 * stopped: to delete the record of an action is to revert the action, so the owner is restored.
 * Every replica remembers, so that a new leader knows what the last one saw. Confined to the thread
 * of the cycle.
 */
public final class UnfinishedRecords {
  private static final Logger log = LoggerFactory.getLogger(UnfinishedRecords.class);
  private static final Duration REMEMBERED_FOR = Duration.ofHours(1);
  private static final Set<FieldContent> HELD = Set.of(FieldContent.WRITTEN, FieldContent.RESUMED);

  private final Cluster cluster;
  private final Leadership leadership;
  private final FieldWriter writer;
  private final Clock clock;
  private final Map<ObjectName, RememberedRecord> unfinished = new HashMap<>();

  /**
   * A record that was not finished.
   *
   * @param reported whether it was reported that it is missing and cannot be created
   */
  private record RememberedRecord(Reclamation record, Instant seenAt, boolean reported) {}

  public UnfinishedRecords(Cluster cluster, Leadership leadership, Clock clock) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.writer = new FieldWriter(cluster, leadership);
    this.clock = clock;
  }

  /** Remembers the unfinished records of a view, and forgets those that are finished. */
  void observe(ClusterView view) {
    view.reclamations().orElse(List.of()).forEach(this::remember);
    Instant oldest = clock.instant().minus(REMEMBERED_FOR);
    unfinished.values().removeIf(each -> each.seenAt().isBefore(oldest));
  }

  /**
   * Remembers a record if it is unfinished, and forgets it if it is finished. Of one that cannot be
   * read any longer, it remembers what it was.
   */
  void remember(Reclamation record) {
    if (record.unreadable().isPresent()) {
      return;
    }
    if (record.status().filter(progress -> !progress.state().isFinal()).isPresent()) {
      unfinished.put(key(record), new RememberedRecord(record, clock.instant(), false));
    } else {
      unfinished.remove(key(record));
    }
  }

  /**
   * Creates the records again that were deleted while their owner holds the values of an action.
   */
  void recreate(ClusterView view) {
    if (view.reclamations().isEmpty()) {
      return;
    }
    Map<ObjectName, RememberedRecord> missing = new HashMap<>(unfinished);
    for (Reclamation record :
        missing.isEmpty() ? List.<Reclamation>of() : view.reclamations().get()) {
      missing.remove(key(record));
    }
    missing.values().forEach(this::recreate);
  }

  private void recreate(RememberedRecord missing) {
    Reclamation record = missing.record();
    ReclamationProgress progress = record.status().orElseThrow();
    try {
      if (progress.changes().stream()
          .map(change -> writer.holding(change, progress.isBeingWrittenBack()))
          .noneMatch(HELD::contains)) {
        // The owner is gone, and its record with it; or others have changed it back.
        unfinished.remove(key(record));
        return;
      }
    } catch (ObjectUnreadable e) {
      notCreated(missing, String.valueOf(e.getMessage()));
      return;
    }
    if (!leadership.isHeld()) {
      return;
    }
    switch (cluster.create(restoring(record, progress))) {
      case RecordResult.Stored(var stored) -> created(stored, progress);
      // The watch has not seen it yet.
      case RecordResult.NotStored(ActionResult.Skipped _) -> {}
      case RecordResult.NotStored(var why) -> notCreated(missing, why);
    }
  }

  private void created(Reclamation stored, ReclamationProgress progress) {
    remember(stored);
    String former = formerValues(progress);
    log.warn(
        "record deleted while its owner is stopped, owner is restored to {}: {}",
        former,
        stored.ref());
    if (leadership.isHeld()) {
      cluster.recordEvent(
          progress.owner(),
          new Notice(
              "GPUReclamationDeleted",
              "The record "
                  + stored.name()
                  + " was deleted while this object is stopped, so it is restored to "
                  + former
                  + ".",
              true));
    }
  }

  private void notCreated(RememberedRecord missing, Object why) {
    Reclamation record = missing.record();
    unfinished.put(key(record), new RememberedRecord(record, missing.seenAt(), true));
    if (!missing.reported()) {
      log.error(
          "record deleted while {} is stopped, and cannot be created again; restore {} by hand:"
              + " {}",
          record.status().orElseThrow().owner(),
          formerValues(record.status().orElseThrow()),
          why);
    }
  }

  private Reclamation restoring(Reclamation record, ReclamationProgress progress) {
    return new Reclamation(
        record.namespace(),
        record.name(),
        "",
        "",
        record.request(),
        Optional.of(
            progress.in(
                ReclamationState.RESTORING,
                "The record was deleted, so the owner is restored.",
                progress.times().restoring(clock.instant()))));
  }

  /** The former values as people write them, for example {@code spec.replicas: 3}. */
  static String formerValues(ReclamationProgress progress) {
    return progress.changes().stream()
        .map(UnfinishedRecords::formerValue)
        .collect(Collectors.joining(", "));
  }

  private static String formerValue(FieldChange change) {
    return change.field() + ": " + change.former().orElse("(not set)");
  }

  private static ObjectName key(Reclamation record) {
    return new ObjectName(record.namespace(), record.name());
  }
}
