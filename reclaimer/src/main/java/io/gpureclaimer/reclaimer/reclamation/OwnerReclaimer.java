package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.action.Action.ActionId;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Cluster.RecordResult;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import io.gpureclaimer.reclaimer.reclamation.FieldWriter.RestoreResult;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the owner of a workload: records what will be changed, writes the fields, and notes in the
 * record that they are written. A process that ends in between leaves a record from which {@link
 * ReclamationReconciler} continues.
 */
public final class OwnerReclaimer {
  private static final Logger log = LoggerFactory.getLogger(OwnerReclaimer.class);

  private final Cluster cluster;
  private final Leadership leadership;
  private final UnfinishedRecords unfinished;
  private final FieldWriter writer;
  private final Clock clock;

  public OwnerReclaimer(
      Cluster cluster, Leadership leadership, UnfinishedRecords unfinished, Clock clock) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.unfinished = unfinished;
    this.writer = new FieldWriter(cluster, leadership);
    this.clock = clock;
  }

  /**
   * Reason for stopping a workload.
   *
   * @param id of the action
   * @param idleSince since when the workload is idle
   * @param warnedAt when it was warned
   * @param pendingPod for which its GPUs are freed
   * @param evidence one sentence on why it is idle
   */
  public record StopReason(
      ActionId id,
      Instant idleSince,
      Instant warnedAt,
      Optional<PodRef> pendingPod,
      String evidence) {

    /** The record of an action that is not begun. */
    Reclamation intended(
        Action action,
        ObjectRef object,
        String version,
        Workload workload,
        List<FieldChange> changes,
        Instant now) {
      var progress =
          new ReclamationProgress(
              ReclamationState.INTENDED,
              action.name(),
              id.value(),
              "The action is recorded; nothing was changed.",
              object,
              version,
              workload.pods().stream().map(PodView::ref).toList(),
              workload.devicesHeld(),
              workload.resource(),
              pendingPod.map(PodRef::toString),
              evidence,
              changes,
              Timeline.recorded(idleSince, warnedAt, now));
      return new Reclamation(
          object.namespace(),
          Reclamation.nameOf(object, id.value()),
          "",
          "",
          RestoreRequest.NONE,
          Optional.of(progress));
    }
  }

  /**
   * Stops the owner of a workload.
   *
   * @param workload as it was judged seconds before
   * @param records of actions, as they were known then; empty if they could not be read
   * @param isRecent whether that judgment can still be relied on; asked before each write, because
   *     a slow API server leaves time in which work may begin
   * @param dryRun whether the API server only says what it would do
   */
  public ActionResult reclaim(
      Action.ChangeOwner action,
      Workload workload,
      Optional<Reclamations> records,
      StopReason reason,
      BooleanSupplier isRecent,
      boolean dryRun) {
    List<FieldChange> changes = action.changes(workload, clock.instant());
    if (dryRun) {
      return rehearse(changes, workload, isRecent);
    }
    Optional<String> objection = objection(action.target(workload).ref(), changes, records);
    if (objection.isPresent()) {
      return new ActionResult.Skipped(objection.get());
    }
    return switch (cluster.create(intended(action, workload, changes, reason))) {
      case RecordResult.NotStored(var why) -> why;
      case RecordResult.Stored(var record) -> {
        unfinished.remember(record);
        log.info(
            "action {} on {} recorded, former values {}: {}",
            action.name(),
            workload,
            UnfinishedRecords.formerValues(record.status().orElseThrow()),
            record.ref());
        yield carryOut(record, changes, workload, isRecent);
      }
    };
  }

  /** Two records would remember two former values of the same field. */
  private static Optional<String> objection(
      ObjectRef owner, List<FieldChange> changes, Optional<Reclamations> records) {
    if (records.isEmpty()) {
      return Optional.of("records of actions cannot be read");
    }
    Set<String> objects =
        changes.stream().map(change -> change.object().uid()).collect(Collectors.toSet());
    return records
        .get()
        .unreadableOf(owner.namespace(), objects)
        .map(record -> record.ref() + ", which may be of " + owner + ", cannot be read")
        .or(
            () ->
                records.get().of(objects).stream()
                    .flatMap(record -> RecordSteps.open(record).stream())
                    .findFirst()
                    .map(_ -> "an earlier action on " + owner + " is not finished"));
  }

  /** The object of a group as it was judged; an autoscaler is not judged. */
  private static Optional<OwnerView> judged(List<FieldChange> group, Workload workload) {
    return Optional.ofNullable(workload.owners().get(group.getFirst().object().uid()));
  }

  private ActionResult rehearse(
      List<FieldChange> changes, Workload workload, BooleanSupplier isRecent) {
    for (List<FieldChange> group : FieldWriter.writes(changes)) {
      ActionResult result = writer.write(group, judged(group, workload), isRecent, true);
      if (!(result instanceof ActionResult.DryRun)) {
        return result;
      }
    }
    return new ActionResult.DryRun();
  }

  private ActionResult carryOut(
      Reclamation record, List<FieldChange> changes, Workload workload, BooleanSupplier isRecent) {
    boolean paused = false;
    for (List<FieldChange> group : FieldWriter.writes(changes)) {
      if (!leadership.isHeld()) {
        return new ActionResult.NotLeading();
      }
      ActionResult result = writer.write(group, judged(group, workload), isRecent, false);
      if (result instanceof ActionResult.NotLeading) {
        return result;
      }
      if (isMaybeWritten(result, group, record)) {
        return result;
      }
      // KEDA scales what is paused at zero, and may be faster.
      if (!(result instanceof ActionResult.Done || (paused && writer.isWritten(group)))) {
        rollBack(record, changes, result);
        return result;
      }
      paused = FieldWriter.isPause(group);
    }
    if (leadership.isHeld()) {
      recordActing(record);
    }
    return new ActionResult.Done();
  }

  /**
   * Fewer replicas that the API server stores after it reported an error must find the idle pods
   * still marked. So the record stays unfinished until no request can be left, and is continued or
   * rolled back then. A Command that is stored so late would stop an owner that has no record.
   */
  private static boolean isMaybeWritten(
      ActionResult result, List<FieldChange> group, Reclamation record) {
    ReclamationProgress progress = record.status().orElseThrow();
    return result instanceof ActionResult.Failed
        && (progress.replicasLeft().isPresent() || progress.isByCommand())
        && group.getFirst().object().equals(progress.owner());
  }

  /** Where this is not stored, the next cycle finds the fields written, and notes it then. */
  private void recordActing(Reclamation record) {
    ReclamationProgress progress = record.status().orElseThrow();
    Reclamation acting =
        record.with(
            progress.in(
                ReclamationState.ACTING,
                ReclamationRule.acting(progress),
                progress.times().acted(clock.instant())));
    if (cluster.update(acting) instanceof RecordResult.NotStored && leadership.isHeld()) {
      // People may have deleted the record meanwhile; where it is there, this changes nothing.
      cluster.create(acting);
    }
  }

  /** Undoes what was written before a later write failed; the record says so when all is undone. */
  private void rollBack(Reclamation record, List<FieldChange> changes, ActionResult why) {
    Optional<Reclamation> begun = begun(record);
    if (begun.isEmpty()) {
      return;
    }
    ReclamationProgress progress = begun.get().status().orElseThrow();
    for (List<FieldChange> group : FieldWriter.restorations(changes)) {
      if (!leadership.isHeld()) {
        return;
      }
      RestoreResult undone = writer.restore(group, progress.isBeingWrittenBack(), false, false);
      if (undone instanceof RestoreResult.WriteRefused
          || undone instanceof RestoreResult.Resumed
          || undone instanceof RestoreResult.ObjectGone) {
        return;
      }
    }
    if (leadership.isHeld()) {
      cluster.update(
          begun
              .get()
              .with(
                  progress.in(
                      ReclamationState.FAILED,
                      "Nothing was changed: " + RecordSteps.refusal(why).orElse(why.code()) + ".",
                      progress.times().ended(clock.instant()))));
    }
  }

  /** The record, which says first that a value is written that resumes the owner. */
  private Optional<Reclamation> begun(Reclamation record) {
    ReclamationProgress progress = record.status().orElseThrow();
    if (!progress.isRestoredInSteps() || !writer.isWritten(progress.changes())) {
      return Optional.of(record);
    }
    return leadership.isHeld()
            && cluster.update(record.with(progress.writtenBackFrom(clock.instant())))
                instanceof RecordResult.Stored(var stored)
        ? Optional.of(stored)
        : Optional.empty();
  }

  private Reclamation intended(
      Action.ChangeOwner action, Workload workload, List<FieldChange> changes, StopReason reason) {
    OwnerView owner = action.target(workload);
    return reason.intended(
        action,
        owner.ref(),
        owner.details().orElseThrow().resourceVersion(),
        workload,
        changes,
        clock.instant());
  }
}
