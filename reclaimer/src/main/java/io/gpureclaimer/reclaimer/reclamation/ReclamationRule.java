package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.reclamation.FieldWriter.FieldContent;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreCause;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreTrigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides what follows for one record of an action. A pure function of what is there now. */
final class ReclamationRule {
  /** Who changes an owner back so soon needs it: no second try for a while. */
  private static final Duration CONTESTED_WITHIN = Duration.ofHours(1);

  /**
   * A record that old was left by a process that ended: a process that goes on writes the fields at
   * once. Longer than a lease and the longest request.
   */
  private static final Duration ABANDONED_AFTER = Duration.ofMinutes(1);

  private static final Duration LATE_WITHIN = Duration.ofMinutes(5);

  /** A controller that has stopped no pod by then ignores the field, or does not run. */
  private static final Duration STOPS_WITHIN = Duration.ofMinutes(10);

  /**
   * Knative removes the pods of a Revision when no request has come for its window, which is an
   * hour at most, and after its delay for scaling down, which is another hour at most.
   */
  private static final Duration REVISION_STOPS_WITHIN = Duration.ofHours(2);

  /**
   * KEDA asks its triggers every 30 seconds by default. After this time it does not run, or it
   * wants no replicas although people want the owner back.
   */
  private static final Duration AUTOSCALER_SCALES_WITHIN = Duration.ofMinutes(2);

  private static final String STOPPED = "The owner is stopped; its pods are terminating.";
  private static final String SCALED_DOWN =
      "The owner has fewer replicas; those that were idle are terminating.";
  private static final String CHANGED_BY_OTHERS =
      "The owner was changed by others; their change is kept.";

  private static final NextStep.RecordChange GONE =
      new NextStep.RecordChange(
          ReclamationState.EVICTED,
          "The pod is gone. It is not known whether the eviction was accepted, so others may have"
              + " deleted the pod.");

  private ReclamationRule() {}

  /** Next step for a record. */
  sealed interface NextStep {

    /** Nothing now. */
    record NoChange() implements NextStep {}

    /** Only the record changes. */
    record RecordChange(ReclamationState state, String message) implements NextStep {}

    /** Paused autoscalers are released; what they write to the owner decides what follows. */
    record Release() implements NextStep {}

    /**
     * The former values are written back.
     *
     * @param end the state afterwards
     * @param message the sentence in the record afterwards
     */
    record WriteBack(ReclamationState end, String message) implements NextStep {}
  }

  /** What is left of the pods that held the GPUs. */
  enum PodsLeft {
    NONE,
    /** Some are there, and one or more of them terminate, which may take as long as it does. */
    TERMINATING,
    /** Some are there, and none of them terminates. */
    RUNNING,
    /** One is there that should be gone, and its owner has no pod too many: another one is gone. */
    OTHERS_REMOVED
  }

  /**
   * Current state of the owner and its pods.
   *
   * @param owner what the fields of the owner hold, in the order of the changes; never none
   * @param others what fields of other objects hold, such as a pause of an autoscaler
   * @param podsBack whether the owner has new pods
   * @param restore why the owner is to be restored; empty if it is not
   */
  record OwnerSituation(
      List<FieldContent> owner,
      List<FieldContent> others,
      PodsLeft podsLeft,
      boolean podsBack,
      Optional<RestoreCause> restore) {
    OwnerSituation {
      owner = List.copyOf(owner);
      others = List.copyOf(others);
    }

    boolean isGone() {
      return owner.contains(FieldContent.GONE);
    }

    /** Whether an autoscaler that the action paused is still there. */
    private boolean isAutoscaled() {
      return others.stream().anyMatch(each -> each != FieldContent.GONE);
    }

    private boolean allWritten() {
      return owner.stream().allMatch(each -> each == FieldContent.WRITTEN)
          && others.stream()
              .allMatch(each -> each == FieldContent.WRITTEN || each == FieldContent.GONE);
    }

    /** A requested restoration writes a former value, even if another client was faster. */
    private boolean isChangedByOthers() {
      return owner.stream()
          .anyMatch(
              each ->
                  each == FieldContent.OTHER || (each == FieldContent.FORMER && restore.isEmpty()));
    }
  }

  /** What the record says while the pods are terminating. */
  static String acting(ReclamationProgress progress) {
    return progress.replicasLeft().isPresent() ? SCALED_DOWN : STOPPED;
  }

  /**
   * What follows for the record of an eviction; empty if nothing does.
   *
   * @param isThere whether the pod is there and does not terminate
   * @param isRecreated whether another pod of its name is there
   */
  static Optional<NextStep.RecordChange> ofEviction(
      ReclamationProgress progress, boolean isThere, boolean isRecreated, Instant at) {
    if (progress.state() == ReclamationState.INTENDED && isAbandoned(progress, at)) {
      return Optional.of(
          isThere
              ? new NextStep.RecordChange(
                  ReclamationState.FAILED, "The eviction was interrupted; the pod is there.")
              : GONE);
    }
    if (mayBeLate(progress, at) && progress.times().actedAt().isPresent() && !isThere) {
      return Optional.of(GONE);
    }
    return isRecreated && mayBeRecreated(progress, at)
        ? Optional.of(
            new NextStep.RecordChange(
                ReclamationState.RESTORED, "A pod of the same name was created again."))
        : Optional.empty();
  }

  /** Whether a pod of the name of the evicted one would still count. */
  static boolean mayBeRecreated(ReclamationProgress progress, Instant at) {
    return progress.state() == ReclamationState.EVICTED
        && progress
            .times()
            .endedAt()
            .filter(end -> !at.isAfter(end.plus(CONTESTED_WITHIN)))
            .isPresent();
  }

  /** What follows for a record in this situation. */
  static NextStep decide(ReclamationProgress progress, OwnerSituation now, Instant at) {
    if (progress.state().isFinal()) {
      return new NextStep.NoChange();
    }
    if (now.isGone()) {
      return new NextStep.WriteBack(
          ReclamationState.SUPERSEDED, "The owner was deleted or replaced.");
    }
    return switch (progress.state()) {
      case INTENDED -> intended(progress, now, at);
      case ACTING, RECLAIMED -> stopped(progress, now, at);
      case RESTORING -> restoring(progress, now, at);
      case EVICTED, RESTORED, SUPERSEDED, CONTESTED, FAILED -> new NextStep.NoChange();
    };
  }

  private static NextStep restoring(ReclamationProgress progress, OwnerSituation now, Instant at) {
    if (now.isAutoscaled() && awaitsAutoscaler(progress, now, at)) {
      return new NextStep.Release();
    }
    String restored = now.restore().map(RestoreCause::sentence).map(": "::concat).orElse("") + ".";
    if (now.owner().contains(FieldContent.OTHER)) {
      return now.isAutoscaled()
          ? new NextStep.RecordChange(
              ReclamationState.RESTORED,
              "Restored" + restored + " Its autoscaler is released; it or others set the replicas.")
          : new NextStep.WriteBack(ReclamationState.SUPERSEDED, CHANGED_BY_OTHERS);
    }
    return now.owner().contains(FieldContent.RESUMED) && !now.podsBack()
        ? new NextStep.NoChange()
        : new NextStep.WriteBack(ReclamationState.RESTORED, "Restored" + restored);
  }

  /** The former replicas count only where the autoscaler sets none. */
  private static boolean awaitsAutoscaler(
      ReclamationProgress progress, OwnerSituation now, Instant at) {
    if (now.owner().contains(FieldContent.OTHER)) {
      return now.others().contains(FieldContent.WRITTEN);
    }
    // A command has no next cycle.
    boolean mayWait =
        now.restore().filter(cause -> cause.trigger() == RestoreTrigger.COMMAND).isEmpty();
    return mayWait
        && now.owner().contains(FieldContent.WRITTEN)
        && progress
            .times()
            .restoringAt()
            .filter(begin -> at.isBefore(begin.plus(AUTOSCALER_SCALES_WITHIN)))
            .isPresent();
  }

  /** The process that recorded the action ended before it noted the result. */
  private static NextStep intended(ReclamationProgress progress, OwnerSituation now, Instant at) {
    if (now.allWritten()) {
      return new NextStep.RecordChange(ReclamationState.ACTING, acting(progress));
    }
    return isAbandoned(progress, at)
        ? new NextStep.WriteBack(
            ReclamationState.FAILED, "The action was interrupted and rolled back.")
        : new NextStep.NoChange();
  }

  private static boolean isAbandoned(ReclamationProgress progress, Instant at) {
    return !at.isBefore(progress.times().recordedAt().plus(ABANDONED_AFTER));
  }

  /** Whether a write that was believed to have failed may be carried out after all. */
  static boolean mayBeLate(ReclamationProgress progress, Instant at) {
    return progress.state() == ReclamationState.FAILED
        && progress.times().endedAt().filter(end -> at.isBefore(end.plus(LATE_WITHIN))).isPresent();
  }

  /** Whether the controller of the owner has had time to stop the pods, and stopped none. */
  static boolean isIgnored(ReclamationProgress progress, PodsLeft podsLeft, Instant at) {
    return progress.state() == ReclamationState.ACTING
        && podsLeft == PodsLeft.RUNNING
        && hasHadTimeToStop(progress, at);
  }

  /** Whether pods that run since before the action have survived it. */
  static boolean hasHadTimeToStop(ReclamationProgress progress, Instant at) {
    return !at.isBefore(actedAt(progress).plus(stopsWithin(progress)));
  }

  private static Duration stopsWithin(ReclamationProgress progress) {
    return progress.owner().kind().equals("Revision") ? REVISION_STOPS_WITHIN : STOPS_WITHIN;
  }

  private static Instant actedAt(ReclamationProgress progress) {
    return progress.times().actedAt().orElse(progress.times().recordedAt());
  }

  /**
   * Whether a Command may be between its deletion by the controller, which says that it is taken,
   * and the phase that says that it is carried out.
   */
  private static boolean isCommandTaken(
      ReclamationProgress progress, OwnerSituation now, Instant at) {
    return progress.isByCommand()
        && progress.state() == ReclamationState.ACTING
        && now.owner().contains(FieldContent.FORMER)
        && now.podsLeft() == PodsLeft.RUNNING
        && !hasHadTimeToStop(progress, at);
  }

  private static NextStep stopped(ReclamationProgress progress, OwnerSituation now, Instant at) {
    if (isCommandTaken(progress, now, at)) {
      return new NextStep.NoChange();
    }
    // A controller that obeys later would stop the workload without a new check.
    if ((isIgnored(progress, now.podsLeft(), at) || now.owner().contains(FieldContent.RESUMED))
        && now.restore().isEmpty()
        && !now.owner().contains(FieldContent.OTHER)) {
      return new NextStep.WriteBack(
          ReclamationState.CONTESTED,
          "The controller did not stop the pods within "
              + Durations.format(stopsWithin(progress))
              + "; the former values are written back, and the reclaimer leaves the owner alone.");
    }
    if (now.isChangedByOthers()) {
      return at.isBefore(actedAt(progress).plus(CONTESTED_WITHIN))
          ? new NextStep.WriteBack(
              ReclamationState.CONTESTED,
              "The owner was changed back within the hour; the reclaimer leaves it alone.")
          : new NextStep.WriteBack(ReclamationState.SUPERSEDED, CHANGED_BY_OTHERS);
    }
    if (now.podsLeft() == PodsLeft.OTHERS_REMOVED) {
      return new NextStep.WriteBack(
          ReclamationState.CONTESTED,
          "Other pods than the idle replicas were removed; the former values are written back, and"
              + " the reclaimer leaves the owner alone.");
    }
    if (now.restore().isPresent()) {
      return new NextStep.RecordChange(
          ReclamationState.RESTORING,
          "Restoring: "
              + now.restore().get().sentence()
              + (progress.isRestoredInSteps()
                  ? "; the last field follows when the pods are back."
                  : "."));
    }
    return progress.state() == ReclamationState.ACTING && now.podsLeft() == PodsLeft.NONE
        ? new NextStep.RecordChange(
            ReclamationState.RECLAIMED, "The pods are gone; their GPUs are free.")
        : new NextStep.NoChange();
  }
}
