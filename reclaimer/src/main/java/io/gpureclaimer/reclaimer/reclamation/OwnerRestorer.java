package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.RecordAccess;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreCause;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreTrigger;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Restores owners for a person, with the rights of that person and without a leader. */
public final class OwnerRestorer {
  /** A leader may write the same record or owner meanwhile; then both are read again. */
  private static final int TRIES = 3;

  private static final RestoreCause CAUSE =
      new RestoreCause(RestoreTrigger.COMMAND, "requested by a command");

  private final RecordAccess records;
  private final RecordSteps steps;

  public OwnerRestorer(Cluster cluster, RecordAccess records, Clock clock) {
    this.records = records;
    this.steps = new RecordSteps(cluster, new NoLease(), clock);
  }

  /** The API server decides whether the person may write. */
  private record NoLease() implements Leadership {
    @Override
    public String identity() {
      return "";
    }

    @Override
    public boolean isHeld() {
      return true;
    }

    @Override
    public String holder() {
      return "";
    }
  }

  /**
   * Result for one owner.
   *
   * @param owner or its record, where that cannot be read
   * @param isDone false if it is still reclaimed, and will stay so
   * @param sentence for people, without the final stop
   */
  public record OwnerRestoreResult(ObjectRef owner, boolean isDone, String sentence) {}

  /** The records of one namespace, or of all. */
  public List<Reclamation> records(Optional<String> namespace) {
    return records.records(namespace);
  }

  /**
   * Asks the reclaimer to restore an owner.
   *
   * @param kind in any case, for example {@code deployment}
   * @return empty if it is not reclaimed
   */
  public Optional<OwnerRestoreResult> request(
      String namespace, String kind, String name, boolean dryRun) {
    return records.records(Optional.of(namespace)).stream()
        .filter(record -> open(record).filter(is(kind, name)).isPresent())
        .max(Comparator.comparing(record -> progress(record).times().recordedAt()))
        .map(record -> requested(record, dryRun));
  }

  /** Nothing undoes an eviction. */
  private static Optional<ReclamationProgress> open(Reclamation record) {
    return RecordSteps.open(record).filter(progress -> !progress.isEviction());
  }

  private static Predicate<ReclamationProgress> is(String kind, String name) {
    return progress ->
        progress.owner().kind().equalsIgnoreCase(kind) && progress.owner().name().equals(name);
  }

  private OwnerRestoreResult requested(Reclamation record, boolean dryRun) {
    ReclamationProgress progress = progress(record);
    String then =
        (dryRun ? "would be restored" : "to be restored")
            + " by the reclaimer in its next cycle: "
            + RecordNotices.former(progress.changes());
    return RecordSteps.refusal(records.requestRestore(record, dryRun))
        .map(why -> notRestored(progress, why))
        .orElseGet(() -> new OwnerRestoreResult(progress.owner(), true, then));
  }

  /**
   * Restores the owners of all records that are not finished.
   *
   * @param listener sees each result at once
   */
  public void restoreAll(
      Optional<String> namespace, boolean dryRun, Consumer<OwnerRestoreResult> listener) {
    records.records(namespace).stream()
        .flatMap(record -> result(record, dryRun).stream())
        .forEach(listener);
  }

  private Optional<OwnerRestoreResult> result(Reclamation record, boolean dryRun) {
    return record
        .unreadable()
        .map(
            what ->
                new OwnerRestoreResult(
                    record.ref(), false, "not restored: it cannot be read: " + what.why()))
        .or(() -> open(record).map(_ -> restoredIfReadable(record, dryRun)));
  }

  /** An owner that cannot be read does not stop the others. */
  private OwnerRestoreResult restoredIfReadable(Reclamation record, boolean dryRun) {
    try {
      return dryRun ? rehearsed(record) : restored(record);
    } catch (ObjectUnreadable e) {
      return notRestored(progress(record), String.valueOf(e.getMessage()));
    }
  }

  private OwnerRestoreResult rehearsed(Reclamation record) {
    ReclamationProgress progress = progress(record);
    return steps
        .writeAllBack(progress, true)
        .map(why -> notRestored(progress, why))
        .orElseGet(
            () ->
                new OwnerRestoreResult(
                    progress.owner(),
                    true,
                    "would be restored: " + RecordNotices.former(progress.changes())));
  }

  /**
   * The request comes first: a leader that runs then does not take the change for a protest. The
   * reclaimer's own account may not make it, and needs none, because it writes the status.
   */
  private OwnerRestoreResult restored(Reclamation record) {
    var _ = records.requestRestore(record, false);
    Optional<OwnerRestoreResult> result = Optional.empty();
    for (int tries = 1; tries <= TRIES && result.isEmpty(); tries++) {
      result = tried(record, tries == TRIES);
    }
    return result.orElseThrow();
  }

  private Optional<OwnerRestoreResult> tried(Reclamation record, boolean isLast) {
    Optional<Reclamation> now =
        records.records(Optional.of(record.namespace())).stream()
            .filter(found -> found.uid().equals(record.uid()))
            .findFirst();
    if (now.flatMap(RecordSteps::open).isEmpty()) {
      String sentence =
          now.flatMap(Reclamation::status)
              .map(progress -> "the reclaimer was faster: " + state(progress))
              .orElse("its record is gone");
      return Optional.of(
          new OwnerRestoreResult(progress(record).owner(), now.isPresent(), sentence));
    }
    return switch (steps.restore(now.get(), CAUSE)) {
      case ReconcileStep.Transition transition ->
          Optional.of(
              new OwnerRestoreResult(
                  transition.progress().owner(), true, state(transition.progress())));
      case ReconcileStep.Refused refused when isLast ->
          Optional.of(withoutRecord(now.get(), refused.why()));
      case ReconcileStep.Refused _ -> Optional.empty();
      case ReconcileStep.Unchanged() ->
          Optional.of(
              notRestored(
                  progress(record), "its action is still in progress; try again in a minute"));
    };
  }

  /** Only the reclaimer may write the status, so a person restores the fields alone. */
  private OwnerRestoreResult withoutRecord(Reclamation record, String why) {
    ReclamationProgress progress = progress(record);
    return steps
        .writeAllBack(progress, false)
        .map(refusal -> notRestored(progress, refusal))
        .orElseGet(
            () ->
                new OwnerRestoreResult(
                    progress.owner(),
                    true,
                    "restored: "
                        + RecordNotices.former(progress.changes())
                        + "; its record stays as it is until the reclaimer runs: "
                        + why));
  }

  private static OwnerRestoreResult notRestored(ReclamationProgress progress, String why) {
    return new OwnerRestoreResult(progress.owner(), false, "not restored: " + why);
  }

  private static String state(ReclamationProgress progress) {
    return switch (progress.state()) {
      case RESTORED -> progress.message();
      case EVICTED, SUPERSEDED, CONTESTED, FAILED, INTENDED, ACTING, RECLAIMED, RESTORING ->
          progress.state().text() + ": " + progress.message();
    };
  }

  private static ReclamationProgress progress(Reclamation record) {
    return record.status().orElseThrow();
  }
}
