package io.gpureclaimer.reclaimer.reclamation;

import static io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreTrigger.CONTINUED;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Cluster.RecordResult;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.reclamation.FieldWriter.FieldContent;
import io.gpureclaimer.reclaimer.reclamation.FieldWriter.RestoreResult;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.NextStep;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.OwnerSituation;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.PodsLeft;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreCause;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreTrigger;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Executes the decisions of {@link ReclamationRule} for one record. Confined to one thread. */
final class RecordSteps {
  private final Cluster cluster;
  private final Leadership leadership;
  private final FieldWriter writer;
  private final Clock clock;

  RecordSteps(Cluster cluster, Leadership leadership, Clock clock) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.writer = new FieldWriter(cluster, leadership);
    this.clock = clock;
  }

  /** The status of a record that is not finished. */
  static Optional<ReclamationProgress> open(Reclamation record) {
    return record.status().filter(progress -> !progress.state().isFinal());
  }

  /** Restores the owner of one record now. */
  ReconcileStep restore(Reclamation record, RestoreCause cause) {
    ReconcileStep last = new ReconcileStep.Unchanged();
    Optional<Reclamation> next = Optional.of(record);
    while (next.flatMap(RecordSteps::open).isPresent()) {
      Reclamation known = next.get();
      ReclamationProgress progress = known.status().orElseThrow();
      ReconcileStep step =
          carryOut(known, progress, situation(progress, PodsLeft.NONE, false, Optional.of(cause)));
      last = step instanceof ReconcileStep.Unchanged ? last : step;
      next =
          step instanceof ReconcileStep.Transition transition
              ? Optional.of(transition.record())
              : Optional.empty();
    }
    return last;
  }

  /**
   * Writes the former values of all fields back which still hold what the action has written.
   *
   * @return why the owner is not restored; empty if it is
   */
  Optional<String> writeAllBack(ReclamationProgress progress, boolean dryRun) {
    return writeBack(progress, progress.changes(), ReclamationState.RESTORED, false, dryRun)
        .objection();
  }

  /**
   * Result of writing former values back.
   *
   * @param objection why the record must not reach its end; empty if nothing stands against it
   * @param isRefused whether it is a refusal of the API server that may last
   * @param isHalfway whether an object is resumed and gets its former value only when it runs
   * @param restored the changes whose fields hold their former values now
   */
  private record WriteBackResult(
      Optional<String> objection,
      boolean isRefused,
      boolean isHalfway,
      List<FieldChange> restored) {

    ReconcileStep.Refused refused(Reclamation record, Optional<RestoreTrigger> trigger) {
      return new ReconcileStep.Refused(
          record,
          trigger,
          objection.orElseThrow(),
          isRefused && trigger.isPresent()
              ? record.status().map(RecordNotices::byHand)
              : Optional.empty());
    }

    /** A message with what was read back. */
    String addTo(String message) {
      return restored.isEmpty() ? message : message + " " + RecordNotices.fields(restored);
    }
  }

  /**
   * Writes former values back, of those fields that still hold what the action has written.
   *
   * @param end the state that the record is to reach
   * @param podsBack whether the object runs again, so that the second of two steps may be taken
   */
  private WriteBackResult writeBack(
      ReclamationProgress progress,
      List<FieldChange> changes,
      ReclamationState end,
      boolean podsBack,
      boolean dryRun) {
    List<FieldChange> restored = new ArrayList<>();
    boolean isHalfway = false;
    for (List<FieldChange> group : FieldWriter.restorations(changes)) {
      if (!leadership.isHeld()) {
        return new WriteBackResult(Optional.of("lost lease"), false, false, restored);
      }
      FieldChange first = group.getFirst();
      boolean ofOwner = isOfOwner(first, progress) && !isFurtherOwner(first, progress);
      RestoreResult result = writer.restore(group, progress.isBeingWrittenBack(), podsBack, dryRun);
      Optional<String> objection = objection(result, ofOwner, end);
      if (objection.isPresent()) {
        boolean isRefused =
            result instanceof RestoreResult.WriteRefused(var why)
                && why instanceof ActionResult.Failed;
        return new WriteBackResult(objection, isRefused, false, restored);
      }
      isHalfway |= result instanceof RestoreResult.Resumed;
      if (result instanceof RestoreResult.Complete) {
        restored.addAll(group);
      }
    }
    return new WriteBackResult(Optional.empty(), false, isHalfway, restored);
  }

  OwnerSituation situation(
      ReclamationProgress progress,
      PodsLeft podsLeft,
      boolean podsBack,
      Optional<RestoreCause> restore) {
    List<FieldContent> owner = new ArrayList<>();
    List<FieldContent> others = new ArrayList<>();
    for (FieldChange change : progress.changes()) {
      // A pod may end at any time, and its owner is written after it was marked.
      if (change.object().kind().equals("Pod")) {
        continue;
      }
      FieldContent holding = writer.holding(change, progress.isBeingWrittenBack());
      // Of several owners, such as the Jobs of a CronJob, one may be gone and the others not.
      boolean lost = holding == FieldContent.GONE && isFurtherOwner(change, progress);
      (isOfOwner(change, progress) && !lost ? owner : others).add(holding);
    }
    return new OwnerSituation(owner, others, podsLeft, podsBack, restore);
  }

  ReconcileStep carryOut(
      Reclamation record, ReclamationProgress progress, OwnerSituation situation) {
    return switch (ReclamationRule.decide(progress, situation, clock.instant())) {
      case NextStep.NoChange() -> new ReconcileStep.Unchanged();
      case NextStep.RecordChange(var state, var message) ->
          state == ReclamationState.RESTORING
              ? begun(record, progress, message, situation)
              : moved(record, progress, state, message, trigger(state, situation));
      case NextStep.Release() -> released(record, progress, situation);
      case NextStep.WriteBack(var end, var message) ->
          writtenBack(record, progress, end, message, situation);
    };
  }

  /** Writes those changes of an action that failed back which were stored later all the same. */
  ReconcileStep undoLate(Reclamation record, ReclamationProgress progress, List<FieldChange> late) {
    WriteBackResult result = writeBack(progress, late, ReclamationState.FAILED, false, false);
    if (!leadership.isHeld()) {
      return new ReconcileStep.Unchanged();
    }
    return result.objection().isPresent()
        ? result.refused(record, Optional.empty())
        : moved(
            record,
            progress,
            ReclamationState.FAILED,
            result.addTo("A part of the action was stored after it had failed; it is undone."),
            Optional.empty());
  }

  private static Optional<RestoreTrigger> trigger(ReclamationState next, OwnerSituation situation) {
    return switch (next) {
      case RESTORING, RESTORED ->
          situation.restore().map(RestoreCause::trigger).or(() -> Optional.of(CONTINUED));
      case INTENDED, ACTING, RECLAIMED, EVICTED, SUPERSEDED, CONTESTED, FAILED -> Optional.empty();
    };
  }

  /** The record says that fields are being written back before the first of them is. */
  private ReconcileStep begun(
      Reclamation record, ReclamationProgress progress, String message, OwnerSituation situation) {
    ReclamationState next = ReclamationState.RESTORING;
    ReconcileStep begun = moved(record, progress, next, message, trigger(next, situation));
    if (!(begun instanceof ReconcileStep.Transition transition)) {
      return begun;
    }
    ReconcileStep end = carryOut(transition.record(), transition.progress(), situation);
    return end instanceof ReconcileStep.Unchanged ? begun : end;
  }

  /** The record stays as it is until its autoscaler has set the replicas. */
  private ReconcileStep released(
      Reclamation record, ReclamationProgress progress, OwnerSituation situation) {
    List<FieldChange> pauses =
        progress.changes().stream().filter(change -> !isOfOwner(change, progress)).toList();
    WriteBackResult result = writeBack(progress, pauses, progress.state(), false, false);
    return result.objection().isPresent()
        ? result.refused(record, trigger(progress.state(), situation))
        : new ReconcileStep.Unchanged();
  }

  private ReconcileStep writtenBack(
      Reclamation record,
      ReclamationProgress progress,
      ReclamationState end,
      String message,
      OwnerSituation situation) {
    if (progress.isRestoredInSteps()
        && !progress.isBeingWrittenBack()
        && situation.owner().contains(FieldContent.WRITTEN)) {
      return writtenBackOnRecord(record, progress, end, message, situation);
    }
    boolean podsBack = situation.podsBack();
    boolean isRestored = end == ReclamationState.RESTORED;
    WriteBackResult result = writeBack(progress, progress.changes(), end, podsBack, false);
    if (!leadership.isHeld()) {
      return new ReconcileStep.Unchanged();
    }
    Optional<RestoreTrigger> trigger = trigger(end, situation);
    if (result.objection().isPresent()) {
      return result.refused(record, trigger);
    }
    // The last step follows when the pods are back; until then the record stays as it is.
    if (result.isHalfway()) {
      return new ReconcileStep.Unchanged();
    }
    return moved(record, progress, end, isRestored ? result.addTo(message) : message, trigger);
  }

  /** What resumes the object is the reclaimer's value only if the record says so before. */
  private ReconcileStep writtenBackOnRecord(
      Reclamation record,
      ReclamationProgress progress,
      ReclamationState end,
      String message,
      OwnerSituation situation) {
    if (!leadership.isHeld()) {
      return new ReconcileStep.Unchanged();
    }
    return switch (cluster.update(record.with(progress.writtenBackFrom(clock.instant())))) {
      case RecordResult.Stored(var stored) ->
          writtenBack(stored, stored.status().orElseThrow(), end, message, situation);
      case RecordResult.NotStored(var why) -> notUpdated(record, trigger(end, situation), why);
    };
  }

  private static ReconcileStep notUpdated(
      Reclamation record, Optional<RestoreTrigger> trigger, ActionResult why) {
    return new ReconcileStep.Refused(
        record, trigger, "the record cannot be updated: " + refusal(why).orElse("lost lease"));
  }

  /** Why a record must not reach its end after this result; the next cycle decides again. */
  private static Optional<String> objection(
      RestoreResult result, boolean ofOwner, ReclamationState end) {
    return switch (result) {
      case RestoreResult.Complete(), RestoreResult.Resumed() -> Optional.empty();
      case RestoreResult.ChangedByOthers() ->
          ofOwner && end == ReclamationState.RESTORED
              ? Optional.of("others have changed the owner")
              : Optional.empty();
      // The API server alone must not end a record: the watch has to agree that the owner is gone.
      case RestoreResult.ObjectGone() ->
          ofOwner && end != ReclamationState.SUPERSEDED
              ? Optional.of("the owner was not found")
              : Optional.empty();
      case RestoreResult.WriteRefused(var why) -> refusal(why).or(() -> Optional.of("lost lease"));
    };
  }

  /** Whether the change is of an owner beside the one that the record names. */
  private static boolean isFurtherOwner(FieldChange change, ReclamationProgress progress) {
    return !change.object().equals(progress.owner())
        && progress.changes().stream().anyMatch(each -> each.object().equals(progress.owner()));
  }

  private static boolean isOfOwner(FieldChange change, ReclamationProgress progress) {
    return change.object().kind().equals(progress.owner().kind());
  }

  /** Writes a sentence into a record that stays in its state; a refusal changes nothing. */
  void explain(Reclamation record, String message) {
    ReclamationProgress progress = record.status().orElseThrow();
    if (leadership.isHeld()) {
      var _ = cluster.update(record.with(progress.in(progress.state(), message, progress.times())));
    }
  }

  ReconcileStep moved(
      Reclamation record,
      ReclamationProgress progress,
      ReclamationState state,
      String message,
      Optional<RestoreTrigger> trigger) {
    Instant now = clock.instant();
    Timeline times =
        switch (state) {
          case ACTING -> progress.times().acted(now);
          case RECLAIMED -> progress.times().reclaimed(now);
          case EVICTED -> progress.times().acted(now).ended(now);
          case RESTORED, SUPERSEDED, CONTESTED, FAILED -> progress.times().ended(now);
          case RESTORING -> progress.times().restoring(now);
          case INTENDED -> progress.times();
        };
    if (!leadership.isHeld()) {
      return new ReconcileStep.Unchanged();
    }
    return switch (cluster.update(record.with(progress.in(state, message, times)))) {
      case RecordResult.Stored(var stored) ->
          new ReconcileStep.Transition(stored, progress.state(), trigger);
      case RecordResult.NotStored(var why) -> notUpdated(record, trigger, why);
    };
  }

  static Optional<String> refusal(ActionResult result) {
    return switch (result) {
      case ActionResult.Done _, ActionResult.DryRun _, ActionResult.NotLeading _ ->
          Optional.empty();
      case ActionResult.Skipped(var why) -> Optional.of(why);
      case ActionResult.Blocked(_, var why) -> Optional.of(why);
      case ActionResult.Awaiting(var why) -> Optional.of(why);
      case ActionResult.Failed(var why) -> Optional.of(why);
    };
  }
}
