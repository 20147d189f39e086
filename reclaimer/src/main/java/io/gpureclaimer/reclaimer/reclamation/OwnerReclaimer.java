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
import io.gpureclaimer.reclaimer.cluster.Reclamation.Progress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stops the owner of a workload: records what will be changed, writes the fields, and notes in the
 * record that they are written. A process that ends in between leaves a record from which {@link
 * ReclamationKeeper} continues.
 */
public final class OwnerReclaimer {
  private final Cluster cluster;
  private final Leadership leadership;
  private final FieldWriter writer;
  private final Clock clock;

  public OwnerReclaimer(Cluster cluster, Leadership leadership, Clock clock) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.writer = new FieldWriter(cluster);
    this.clock = clock;
  }

  /**
   * Why an owner is stopped.
   *
   * @param id of the action
   * @param idleSince since when the workload is idle
   * @param warnedAt when it was warned
   * @param pendingPod for which its GPUs are freed
   * @param evidence one sentence on why it is idle
   */
  public record Reason(
      ActionId id,
      Instant idleSince,
      Instant warnedAt,
      Optional<PodRef> pendingPod,
      String evidence) {}

  /**
   * Stops the owner of a workload.
   *
   * @param workload as it was judged seconds before
   * @param dryRun whether the API server only says what it would do
   */
  public ActionResult reclaim(
      Action.ChangeOwner action, Workload workload, Reason reason, boolean dryRun) {
    List<FieldChange> changes = action.changes(workload, clock.instant());
    if (dryRun) {
      return rehearse(changes);
    }
    return switch (cluster.create(intended(action, workload, changes, reason))) {
      case RecordResult.NotStored(var why) -> why;
      case RecordResult.Stored(var record) -> carryOut(record, changes);
    };
  }

  private ActionResult rehearse(List<FieldChange> changes) {
    for (List<FieldChange> group : FieldWriter.writes(changes)) {
      ActionResult result = writer.write(group, true);
      if (!(result instanceof ActionResult.DryRun)) {
        return result;
      }
    }
    return new ActionResult.DryRun();
  }

  private ActionResult carryOut(Reclamation record, List<FieldChange> changes) {
    for (List<FieldChange> group : FieldWriter.writes(changes)) {
      if (!leadership.isHeld()) {
        return new ActionResult.NotLeading();
      }
      ActionResult result = writer.write(group, false);
      if (!(result instanceof ActionResult.Done)) {
        rollBack(record, changes, result);
        return result;
      }
    }
    if (leadership.isHeld()) {
      Progress progress = record.status().orElseThrow();
      Instant now = clock.instant();
      // Where this is not stored, the next cycle finds the fields written, and notes it then.
      cluster.update(
          record.with(
              progress.in(
                  ReclamationState.ACTING,
                  "The owner is stopped; its pods are terminating.",
                  progress.times().acted(now))));
    }
    return new ActionResult.Done();
  }

  /** Undoes what was written before a later write failed; the record says so when all is undone. */
  private void rollBack(Reclamation record, List<FieldChange> changes, ActionResult why) {
    for (List<FieldChange> group : FieldWriter.writes(changes).reversed()) {
      if (!leadership.isHeld() || !(writer.restore(group, false) instanceof ActionResult.Done)) {
        return;
      }
    }
    Progress progress = record.status().orElseThrow();
    cluster.update(
        record.with(
            progress.in(
                ReclamationState.FAILED,
                "Nothing was changed: " + text(why) + ".",
                progress.times().ended(clock.instant()))));
  }

  private static String text(ActionResult result) {
    return switch (result) {
      case ActionResult.Skipped(var why) -> why;
      case ActionResult.Blocked(_, var why) -> why;
      case ActionResult.Failed(var why) -> why;
      case ActionResult.Done _, ActionResult.DryRun _, ActionResult.NotLeading _ -> result.code();
    };
  }

  private Reclamation intended(
      Action.ChangeOwner action, Workload workload, List<FieldChange> changes, Reason reason) {
    OwnerView owner = action.target(workload);
    ObjectRef ref = owner.ref();
    var progress =
        new Progress(
            ReclamationState.INTENDED,
            action.name(),
            reason.id().value(),
            "The action is recorded; nothing was changed.",
            ref,
            owner.details().orElseThrow().resourceVersion(),
            workload.pods().stream().map(PodView::ref).toList(),
            workload.devicesHeld(),
            reason.pendingPod().map(PodRef::toString),
            reason.evidence(),
            changes,
            Timeline.recorded(reason.idleSince(), reason.warnedAt(), clock.instant()));
    return new Reclamation(
        ref.namespace(),
        Reclamation.nameOf(ref, reason.id().value()),
        "",
        "",
        RestoreRequest.NONE,
        Optional.of(progress));
  }
}
