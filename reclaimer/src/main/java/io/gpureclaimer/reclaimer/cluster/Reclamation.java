package io.gpureclaimer.reclaimer.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Record of one action on one owner, or of one eviction, as an object in the same namespace. It is
 * written before the action, and has everything that undoes it.
 *
 * @param name unique in the namespace; the same action has the same name
 * @param uid of the record; empty before it is created
 * @param resourceVersion of the record; empty before it is created
 * @param request what people ask for
 * @param status what the reclaimer has done; absent while the record is incomplete, and then
 *     nothing was changed, and where it cannot be read
 * @param unreadable why the status cannot be read; empty if it can
 */
public record Reclamation(
    String namespace,
    String name,
    String uid,
    String resourceVersion,
    RestoreRequest request,
    Optional<ReclamationProgress> status,
    Optional<Unreadable> unreadable) {
  /** Group of the custom resource. */
  public static final String GROUP = "gpu-reclaimer.io";

  /** Group and version of the custom resource. */
  public static final String API_VERSION = GROUP + "/v1alpha1";

  public static final String KIND = "Reclamation";

  /**
   * For how long a final record counts: a restoration for a longer limit, a contest for a longer
   * pause. Then it is deleted.
   */
  public static final Duration COUNTS_FOR = Duration.ofDays(7);

  private static final int LONGEST_START = 54;
  private static final int ID_PART = 8;

  /** A record that can be read. */
  public Reclamation(
      String namespace,
      String name,
      String uid,
      String resourceVersion,
      RestoreRequest request,
      Optional<ReclamationProgress> status) {
    this(namespace, name, uid, resourceVersion, request, status, Optional.empty());
  }

  /** The name of the record of an action on an owner or pod. */
  public static String nameOf(ObjectRef owner, String actionId) {
    String start = (owner.kind() + "-" + owner.name()).toLowerCase(Locale.ROOT);
    return start.substring(0, Math.min(start.length(), LONGEST_START)).replaceAll("[.-]+$", "")
        + "-"
        + actionId.substring(0, Math.min(actionId.length(), ID_PART));
  }

  /** The record as an object of the API server. */
  public ObjectRef ref() {
    return new ObjectRef(API_VERSION, KIND, namespace, name, uid);
  }

  /** The command that restores the owner. */
  public String howToRestore() {
    return howToRestore(namespace, name);
  }

  /** The command that restores the owner of the record of this name. */
  public static String howToRestore(String namespace, String name) {
    return "kubectl patch reclamation "
        + name
        + " --namespace "
        + namespace
        + " --type merge --patch '{\"spec\":{\"restore\":true}}'";
  }

  /** When the owner was restored; empty if it was not. */
  public Optional<Instant> restoredAt() {
    return status
        .filter(progress -> progress.state() == ReclamationState.RESTORED)
        .filter(progress -> !progress.isEviction())
        .flatMap(progress -> progress.times().endedAt());
  }

  /** Whether the owner runs without its idle replicas because of this action. */
  public boolean hasScaledDown() {
    return hasActed() && status.flatMap(ReclamationProgress::replicasLeft).isPresent();
  }

  /** Whether the owner was changed by this action, and is not restored. */
  public boolean hasActed() {
    return status
        .filter(progress -> !progress.state().isFinal())
        .filter(progress -> progress.state() != ReclamationState.INTENDED)
        .isPresent();
  }

  /**
   * Whether an action may be recorded over the record of an earlier try of the same action.
   *
   * @param state of the earlier one
   */
  public boolean mayReplace(ReclamationState state) {
    return state == ReclamationState.FAILED
        || (state == ReclamationState.INTENDED
            && status.filter(ReclamationProgress::isEviction).isPresent());
  }

  /** The same record with another status. */
  public Reclamation with(ReclamationProgress next) {
    return new Reclamation(namespace, name, uid, resourceVersion, request, Optional.of(next));
  }

  /**
   * What is known of a record that cannot be read.
   *
   * @param owners UIDs of the objects that it says it is about; none if it does not say
   * @param why one sentence for people, without the final stop
   */
  public record Unreadable(Set<String> owners, String why) {
    public Unreadable {
      owners = Set.copyOf(owners);
    }

    /** Whether the record may be of an action on one of these objects. */
    boolean mayBeOf(Set<String> uids) {
      return owners.isEmpty() || !Collections.disjoint(owners, uids);
    }
  }

  /** Whether it is over for so long that it no longer counts, and people do not need it. */
  public boolean isPast(Instant now) {
    return status
            .filter(progress -> progress.state().isFinal())
            .flatMap(progress -> progress.times().endedAt())
            .filter(end -> !now.isBefore(end.plus(COUNTS_FOR)))
            .isPresent()
        && request.keepUntil().filter(now::isBefore).isEmpty();
  }

  /**
   * What people write into the record.
   *
   * @param restore whether to restore the owner
   * @param keepUntil until when the restored owner is kept; it restores the owner as well
   */
  public record RestoreRequest(boolean restore, Optional<Instant> keepUntil) {
    public static final RestoreRequest NONE = new RestoreRequest(false, Optional.empty());

    /** Whether people want the owner back. */
    public boolean wantsRestore(Instant now) {
      return restore || keepUntil.filter(now::isBefore).isPresent();
    }
  }

  /** How far an action or its restoration has come. */
  public enum ReclamationState {
    /** The record is complete; no field was changed. */
    INTENDED("Intended"),
    /** The fields are changed; pods of the workload are still there. */
    ACTING("Acting"),
    /** The pods are gone and their GPUs are free. */
    RECLAIMED("Reclaimed"),
    /** The former values are being written back. */
    RESTORING("Restoring"),
    /** The pod was evicted. Nothing undoes that. */
    EVICTED("Evicted"),
    /**
     * Every field has its former value again, or an autoscaler that was paused decides about it; or
     * a pod of the name of the evicted one was created within the hour.
     */
    RESTORED("Restored"),
    /** The owner was changed or deleted by others; their decision stands. */
    SUPERSEDED("Superseded"),
    /**
     * The owner was changed back by others within the hour, or its controller did not stop the
     * pods; no second try for a while.
     */
    CONTESTED("Contested"),
    /** The action was not made; every field has its former value. */
    FAILED("Failed");

    private final String text;

    ReclamationState(String text) {
      this.text = text;
    }

    /** As it is written in the record. */
    public String text() {
      return text;
    }

    /** Whether nothing more follows. */
    public boolean isFinal() {
      return switch (this) {
        case EVICTED, RESTORED, SUPERSEDED, CONTESTED, FAILED -> true;
        case INTENDED, ACTING, RECLAIMED, RESTORING -> false;
      };
    }

    /** The state with exactly this text. */
    public static Optional<ReclamationState> of(String text) {
      for (ReclamationState state : values()) {
        if (state.text.equals(text)) {
          return Optional.of(state);
        }
      }
      return Optional.empty();
    }
  }

  /**
   * What the action is, and how far it has come.
   *
   * @param action name of the action: {@code evict}, {@code scale}, {@code suspend} or {@code stop}
   * @param actionId the identifier in the warning, Events and decision records
   * @param message one sentence for people
   * @param owner what the action changes, or the pod that it evicts
   * @param ownerVersion resource version of the owner that was judged
   * @param pods of the workload that held the GPUs
   * @param devices how many GPUs, MIG slices and replicas they held
   * @param resource of which kind all of these are; empty if they are of several kinds, devices of
   *     claims, or not recorded
   * @param pendingPod the pod for which they are freed, as namespace and name
   * @param evidence one sentence on why the workload is idle
   * @param changes every field that is touched, in the order of writing; none by an eviction
   */
  public record ReclamationProgress(
      ReclamationState state,
      String action,
      String actionId,
      String message,
      ObjectRef owner,
      String ownerVersion,
      List<PodRef> pods,
      int devices,
      Optional<String> resource,
      Optional<String> pendingPod,
      String evidence,
      List<FieldChange> changes,
      Timeline times) {
    public ReclamationProgress {
      pods = List.copyOf(pods);
      changes = List.copyOf(changes);
    }

    /** Without the kind of devices. */
    public ReclamationProgress(
        ReclamationState state,
        String action,
        String actionId,
        String message,
        ObjectRef owner,
        String ownerVersion,
        List<PodRef> pods,
        int devices,
        Optional<String> pendingPod,
        String evidence,
        List<FieldChange> changes,
        Timeline times) {
      this(
          state,
          action,
          actionId,
          message,
          owner,
          ownerVersion,
          pods,
          devices,
          Optional.empty(),
          pendingPod,
          evidence,
          changes,
          times);
    }

    /** The same in another state. */
    public ReclamationProgress in(ReclamationState next, String why, Timeline at) {
      return new ReclamationProgress(
          next,
          action,
          actionId,
          why,
          owner,
          ownerVersion,
          pods,
          devices,
          resource,
          pendingPod,
          evidence,
          changes,
          at);
    }

    /** Whether the action is an eviction, which changes no field. */
    public boolean isEviction() {
      return owner.kind().equals("Pod");
    }

    /** Whether a field gets its former value only when the pods are back. */
    public boolean isRestoredInSteps() {
      return changes.stream().anyMatch(change -> change.resumed().isPresent());
    }

    /** Whether former values may have been written back; before, nothing of it was. */
    public boolean isBeingWrittenBack() {
      return times.restoringAt().isPresent();
    }

    /** The same, whose former values are written back from now on. */
    public ReclamationProgress writtenBackFrom(Instant now) {
      return in(state, message, times.restoring(now));
    }

    /** Whether the controller of the owner writes its state, because a Command asks for it. */
    public boolean isByCommand() {
      return changes.stream().anyMatch(FieldChange::isByCommand);
    }

    /** How many replicas the action leaves; empty if it stops the whole owner. */
    public Optional<Integer> replicasLeft() {
      return changes.stream()
          .filter(change -> change.subresource().equals(FieldChange.SCALE))
          .flatMap(change -> change.written().stream())
          .map(Integer::valueOf)
          .filter(left -> left > 0)
          .findFirst();
    }

    /** When it reached its state; empty if the record does not say. */
    public Optional<Instant> stateReachedAt() {
      return switch (state) {
        case INTENDED -> Optional.of(times.recordedAt());
        case ACTING -> times.actedAt();
        case RECLAIMED -> times.reclaimedAt();
        case RESTORING -> times.restoringAt();
        case EVICTED, RESTORED, SUPERSEDED, CONTESTED, FAILED -> times.endedAt();
      };
    }

    /** GPU seconds that were free because of the action; empty until that is over. */
    public Optional<Long> gpuSecondsSaved() {
      return times
          .reclaimedAt()
          .flatMap(
              from ->
                  times.endedAt().map(end -> Duration.between(from, end).toSeconds() * devices));
    }
  }

  /**
   * When what happened.
   *
   * @param idleSince since when the workload was idle
   * @param warnedAt when it was warned
   * @param recordedAt when the record was completed
   * @param actedAt when the fields were changed
   * @param reclaimedAt when the pods were gone
   * @param restoringAt when the writing of the former values began
   * @param endedAt when a final state was reached
   */
  public record Timeline(
      Instant idleSince,
      Instant warnedAt,
      Instant recordedAt,
      Optional<Instant> actedAt,
      Optional<Instant> reclaimedAt,
      Optional<Instant> restoringAt,
      Optional<Instant> endedAt) {

    /** Recorded now, and nothing done. */
    public static Timeline recorded(Instant idleSince, Instant warnedAt, Instant now) {
      return new Timeline(
          idleSince,
          warnedAt,
          now,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    public Timeline acted(Instant now) {
      return new Timeline(
          idleSince,
          warnedAt,
          recordedAt,
          Optional.of(now),
          reclaimedAt,
          Optional.empty(),
          Optional.empty());
    }

    public Timeline reclaimed(Instant now) {
      return new Timeline(
          idleSince, warnedAt, recordedAt, actedAt, Optional.of(now), restoringAt, endedAt);
    }

    public Timeline restoring(Instant now) {
      return new Timeline(
          idleSince, warnedAt, recordedAt, actedAt, reclaimedAt, Optional.of(now), endedAt);
    }

    public Timeline ended(Instant now) {
      return new Timeline(
          idleSince, warnedAt, recordedAt, actedAt, reclaimedAt, restoringAt, Optional.of(now));
    }
  }
}
