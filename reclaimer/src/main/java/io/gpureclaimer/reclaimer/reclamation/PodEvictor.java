package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Cluster.RecordResult;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.reclamation.OwnerReclaimer.StopReason;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Evicts a pod: records the eviction, sends it, and notes the answer in the record. A process that
 * ends in between leaves a record that {@link ReclamationReconciler} completes.
 */
public final class PodEvictor {
  private final Cluster cluster;
  private final Leadership leadership;
  private final Clock clock;

  public PodEvictor(Cluster cluster, Leadership leadership, Clock clock) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.clock = clock;
  }

  /**
   * Evicts the pod of a workload.
   *
   * @param workload as it was judged seconds before
   * @param isRecent whether that judgment can still be relied on; asked after the record is written
   * @param dryRun whether the API server only says what it would do
   */
  public ActionResult evict(
      Action.Evict action,
      Workload workload,
      StopReason reason,
      BooleanSupplier isRecent,
      boolean dryRun) {
    if (dryRun) {
      return action.evict(cluster, workload, true);
    }
    return switch (cluster.create(intended(action, workload, reason))) {
      case RecordResult.NotStored(var why) -> why;
      case RecordResult.Stored(var record) -> {
        ActionResult result = evict(action, workload, isRecent);
        note(record, result, action.wayBack(workload));
        yield result;
      }
    };
  }

  private ActionResult evict(Action.Evict action, Workload workload, BooleanSupplier isRecent) {
    if (!leadership.isHeld()) {
      return new ActionResult.NotLeading();
    }
    return isRecent.getAsBoolean() ? action.evict(cluster, workload, false) : FieldWriter.TOO_OLD;
  }

  /** Where this is not stored, a later cycle finds out whether the pod is gone. */
  private void note(Reclamation record, ActionResult result, String wayBack) {
    ReclamationProgress progress = record.status().orElseThrow();
    Timeline times = progress.times();
    Instant now = clock.instant();
    Optional<ReclamationProgress> next =
        switch (result) {
          case ActionResult.Done _ ->
              Optional.of(
                  progress.in(
                      ReclamationState.EVICTED,
                      "The pod was evicted. " + wayBack,
                      times.acted(now).ended(now)));
          // An API server that reports an error may evict the pod all the same, which is acting.
          case ActionResult.Failed(var why) ->
              Optional.of(failed(progress, "The eviction failed: " + why, times.acted(now)));
          case ActionResult.Skipped(var why) ->
              Optional.of(failed(progress, "Nothing was changed: " + why, times));
          case ActionResult.Blocked(_, var why) ->
              Optional.of(failed(progress, "Nothing was changed: " + why, times));
          case ActionResult.Awaiting _, ActionResult.DryRun _, ActionResult.NotLeading _ ->
              Optional.empty();
        };
    if (leadership.isHeld()) {
      next.ifPresent(status -> cluster.update(record.with(status)));
    }
  }

  private ReclamationProgress failed(ReclamationProgress progress, String why, Timeline times) {
    return progress.in(
        ReclamationState.FAILED, why.endsWith(".") ? why : why + ".", times.ended(clock.instant()));
  }

  private Reclamation intended(Action.Evict action, Workload workload, StopReason reason) {
    PodView pod = workload.firstPod();
    return reason.intended(
        action,
        ObjectRef.of(pod.ref()),
        pod.resourceVersion(),
        workload,
        List.of(),
        clock.instant());
  }
}
