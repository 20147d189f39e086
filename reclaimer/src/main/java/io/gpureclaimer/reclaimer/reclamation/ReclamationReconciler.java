package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.OwnerSituation;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.PodsLeft;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.CycleTriggers;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreCause;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreTrigger;
import io.gpureclaimer.reclaimer.workload.OwnerChain;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Completes every record of an action: finishes or reverts interrupted actions, and confirms
 * results. Confined to the thread of the cycle.
 */
public final class ReclamationReconciler {
  /** So many requests in one cycle may go unanswered because of single objects. */
  private static final int MOST_UNANSWERED = 3;

  private final Cluster cluster;
  private final Leadership leadership;
  private final RestoreTriggers triggers;
  private final FieldWriter writer;
  private final RecordSteps steps;
  private final UnfinishedRecords unfinished;
  private final RecordCleanup housekeeping;
  private final Clock clock;
  private int unanswered;
  private final boolean dryRun;

  /** The last refusal for each record, by UID: the same one is not reported in every cycle. */
  private final Map<String, String> refusals = new HashMap<>();

  /**
   * @param dryRun whether nothing may be written; records then stay as they are
   */
  public ReclamationReconciler(
      Cluster cluster,
      Leadership leadership,
      UnfinishedRecords unfinished,
      RestoreTriggers triggers,
      Clock clock,
      boolean dryRun) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.triggers = triggers;
    this.unfinished = unfinished;
    this.housekeeping = new RecordCleanup(cluster, leadership, clock);
    this.writer = new FieldWriter(cluster, leadership);
    this.steps = new RecordSteps(cluster, leadership, clock);
    this.clock = clock;
    this.dryRun = dryRun;
  }

  /** Result of one step on a record. */
  public sealed interface ReconcileStep {

    /** Nothing had to be done, or this replica no longer leads. */
    record Unchanged() implements ReconcileStep {}

    /**
     * The record reached another state.
     *
     * @param record as it is stored now
     * @param before the state before
     * @param trigger what made the reclaimer restore the owner; absent where it did not
     */
    record Transition(Reclamation record, ReclamationState before, Optional<RestoreTrigger> trigger)
        implements ReconcileStep {

      /** What the record says now. */
      public ReclamationProgress progress() {
        return record.status().orElseThrow();
      }

      /** The same for people. */
      public Notice notice() {
        return RecordNotices.of(this);
      }
    }

    /**
     * A write was refused; it is tried again in the next cycle.
     *
     * @param trigger of the restoration; absent where something else was written
     * @param byHand the commands by which a person restores the owner; empty where the API server
     *     did not refuse a field of it
     */
    record Refused(
        Reclamation record, Optional<RestoreTrigger> trigger, String why, Optional<String> byHand)
        implements ReconcileStep {

      Refused(Reclamation record, Optional<RestoreTrigger> trigger, String why) {
        this(record, trigger, why, Optional.empty());
      }
    }
  }

  /** Listener of the steps on records. */
  public interface RecordListener {

    /** A record reached another state. */
    default void onTransition(ReconcileStep.Transition transition) {}

    /** A write was refused. */
    default void onRefusal(ReconcileStep.Refused refused) {}
  }

  /** Remembers the records, in case that people delete one; every replica does so. */
  public void observe(ClusterView view) {
    unfinished.observe(view);
  }

  /** Brings all records one step on. */
  public void update(ClusterView view, RecordListener listener) {
    if (dryRun) {
      return;
    }
    if (leadership.isHeld()) {
      unfinished.recreate(view);
    }
    unanswered = 0;
    CycleTriggers due = triggers.in(view, clock.instant());
    Map<String, PodView> pods = new HashMap<>();
    for (PodView pod : view.pods()) {
      pods.put(pod.ref().uid(), pod);
    }
    Set<ObjectName> recreated = recreated(view);
    for (Reclamation record : view.reclamations().orElse(List.of())) {
      if (!leadership.isHeld()) {
        return;
      }
      record
          .status()
          .map(progress -> updateIfReadable(record, progress, view, due, pods, recreated))
          .ifPresent(step -> report(step, listener));
    }
    view.records().ifPresent(this::forgetRefusals);
    keepHouse(view);
  }

  /** No action waits for the deletion of old records. */
  private void keepHouse(ClusterView view) {
    try {
      housekeeping.run(view);
    } catch (ClusterUnreachable e) {
      housekeeping.notDeleted(String.valueOf(e.getMessage()));
    }
  }

  private void forgetRefusals(Reclamations there) {
    if (refusals.isEmpty()) {
      return;
    }
    refusals
        .keySet()
        .retainAll(there.all().stream().map(Reclamation::uid).collect(Collectors.toSet()));
  }

  /**
   * An owner that cannot be read, because its CRD is gone for example, or whose webhook lets every
   * request time out, does not stop the others. An API server that answers nothing ends the cycle.
   */
  private ReconcileStep updateIfReadable(
      Reclamation record,
      ReclamationProgress progress,
      ClusterView view,
      CycleTriggers due,
      Map<String, PodView> pods,
      Set<ObjectName> recreated) {
    try {
      if (progress.isEviction()) {
        return updateEviction(record, progress, pods, recreated);
      }
      return progress.state().isFinal()
          ? late(record, progress, view)
          : update(record, progress, view, due, pods);
    } catch (ObjectUnreadable e) {
      return new ReconcileStep.Refused(record, Optional.empty(), String.valueOf(e.getMessage()));
    } catch (ClusterUnreachable e) {
      if (++unanswered >= MOST_UNANSWERED) {
        throw e;
      }
      return new ReconcileStep.Refused(record, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  private ReconcileStep updateEviction(
      Reclamation record,
      ReclamationProgress progress,
      Map<String, PodView> pods,
      Set<ObjectName> recreated) {
    Optional<PodView> pod = Optional.ofNullable(pods.get(progress.owner().uid()));
    boolean isThere = pod.filter(there -> !there.terminating()).isPresent();
    boolean isRecreated = pod.isEmpty() && recreated.contains(name(progress));
    return ReclamationRule.ofEviction(progress, isThere, isRecreated, clock.instant())
        .map(
            change ->
                steps.moved(record, progress, change.state(), change.message(), Optional.empty()))
        .orElseGet(ReconcileStep.Unchanged::new);
  }

  /** Names of evicted pods of which there is one again, as far as that still counts. */
  private Set<ObjectName> recreated(ClusterView view) {
    Set<ObjectName> evicted = new HashSet<>();
    for (Reclamation record : view.reclamations().orElse(List.of())) {
      record
          .status()
          .filter(progress -> ReclamationRule.mayBeRecreated(progress, clock.instant()))
          .ifPresent(progress -> evicted.add(name(progress)));
    }
    Set<ObjectName> there = new HashSet<>();
    for (PodView pod : evicted.isEmpty() ? List.<PodView>of() : view.pods()) {
      var name = new ObjectName(pod.ref().namespace(), pod.ref().name());
      if (evicted.contains(name)) {
        there.add(name);
      }
    }
    return there;
  }

  private static ObjectName name(ReclamationProgress progress) {
    return new ObjectName(progress.owner().namespace(), progress.owner().name());
  }

  /** A write that was believed to have failed may be carried out later. */
  private ReconcileStep late(Reclamation record, ReclamationProgress progress, ClusterView view) {
    if (!ReclamationRule.mayBeLate(progress, clock.instant())) {
      return new ReconcileStep.Unchanged();
    }
    boolean ofAnother =
        view.reclamations().orElse(List.of()).stream()
            .flatMap(other -> RecordSteps.open(other).stream())
            .anyMatch(other -> other.owner().uid().equals(progress.owner().uid()));
    List<FieldChange> late =
        ofAnother ? List.of() : progress.changes().stream().filter(writer::isOurs).toList();
    if (late.isEmpty()) {
      return new ReconcileStep.Unchanged();
    }
    return late.size() == progress.changes().size()
        ? steps.moved(
            record,
            progress,
            ReclamationState.ACTING,
            ReclamationRule.acting(progress),
            Optional.empty())
        : steps.undoLate(record, progress, late);
  }

  private void report(ReconcileStep step, RecordListener listener) {
    switch (step) {
      case ReconcileStep.Unchanged() -> {}
      case ReconcileStep.Transition transition -> {
        refusals.remove(transition.record().uid());
        report(transition.record(), transition.notice());
        listener.onTransition(transition);
      }
      case ReconcileStep.Refused refused -> {
        if (!refused.why().equals(refusals.put(refused.record().uid(), refused.why()))) {
          Notice notice = RecordNotices.of(refused);
          report(refused.record(), notice);
          if (refused.byHand().isPresent()) {
            steps.explain(refused.record(), notice.message());
          }
        }
        listener.onRefusal(refused);
      }
    }
  }

  /** Events on the owner and on the record; a refused Event changes nothing. */
  private void report(Reclamation record, Notice notice) {
    for (ObjectRef object : List.of(record.status().orElseThrow().owner(), record.ref())) {
      if (leadership.isHeld()) {
        cluster.recordEvent(object, notice);
      }
    }
  }

  private ReconcileStep update(
      Reclamation record,
      ReclamationProgress progress,
      ClusterView view,
      CycleTriggers due,
      Map<String, PodView> pods) {
    Optional<OwnerView> owner = Optional.ofNullable(view.owners().get(progress.owner().uid()));
    PodsLeft podsLeft = podsLeft(progress, pods, view);
    Optional<RestoreCause> restore = due.of(record, owner);
    if (isSettled(progress, owner, podsLeft, restore)) {
      return new ReconcileStep.Unchanged();
    }
    boolean podsBack = arePodsBack(progress, podsLeft, view);
    OwnerSituation situation = steps.situation(progress, podsLeft, podsBack, restore);
    // The watch and the API server have to agree that the owner is gone.
    return situation.isGone() && owner.isPresent()
        ? new ReconcileStep.Unchanged()
        : steps.carryOut(record, progress, situation);
  }

  /** Where the controller ignores a stop, it replaces pods that end for other reasons. */
  private static PodsLeft podsLeft(
      ReclamationProgress progress, Map<String, PodView> pods, ClusterView view) {
    List<PodView> left = new ArrayList<>();
    for (PodRef pod : progress.pods()) {
      Optional.ofNullable(pods.get(pod.uid())).ifPresent(left::add);
    }
    if (left.isEmpty()) {
      return progress.state() == ReclamationState.ACTING
              && progress.replicasLeft().isEmpty()
              && !progress.isByCommand()
              && hasNewPods(progress, view)
          ? PodsLeft.RUNNING
          : PodsLeft.NONE;
    }
    if (progress.replicasLeft().filter(some -> isMistaken(progress, some, view)).isPresent()) {
      return PodsLeft.OTHERS_REMOVED;
    }
    return left.stream().anyMatch(PodView::terminating) ? PodsLeft.TERMINATING : PodsLeft.RUNNING;
  }

  /** Whether the owner has its fewer replicas, and one that should be gone is among them. */
  private static boolean isMistaken(ReclamationProgress progress, int replicas, ClusterView view) {
    List<PodRef> running =
        view.pods().stream()
            .filter(pod -> !pod.terminating() && isOf(progress, pod, view))
            .map(PodView::ref)
            .toList();
    return running.size() <= replicas && progress.pods().stream().anyMatch(running::contains);
  }

  private static boolean isOf(ReclamationProgress progress, PodView pod, ClusterView view) {
    return OwnerChain.includes(progress.owner().uid(), pod, view.owners());
  }

  /** Whether the watch alone says that nothing has happened: then no call is made. */
  private boolean isSettled(
      ReclamationProgress progress,
      Optional<OwnerView> owner,
      PodsLeft podsLeft,
      Optional<RestoreCause> restore) {
    boolean waits =
        progress.state() == ReclamationState.RECLAIMED
            || (progress.state() == ReclamationState.ACTING
                && podsLeft != PodsLeft.NONE
                && podsLeft != PodsLeft.OTHERS_REMOVED
                && !ReclamationRule.isIgnored(progress, podsLeft, clock.instant()));
    return waits
        && restore.isEmpty()
        && progress.changes().stream()
            .filter(change -> change.object().equals(progress.owner()))
            .allMatch(change -> FieldWriter.isWritten(change, owner));
  }

  /** Pods that a controller has never stopped are back as well, once it has had its time. */
  private boolean arePodsBack(ReclamationProgress progress, PodsLeft podsLeft, ClusterView view) {
    return (progress.state() == ReclamationState.RESTORING || progress.isRestoredInSteps())
        && (hasNewPods(progress, view)
            || (podsLeft == PodsLeft.RUNNING
                && ReclamationRule.hasHadTimeToStop(progress, clock.instant())));
  }

  private static boolean hasNewPods(ReclamationProgress progress, ClusterView view) {
    for (PodView pod : view.pods()) {
      if (isOf(progress, pod, view) && !pod.terminating() && !progress.pods().contains(pod.ref())) {
        return true;
      }
    }
    return false;
  }
}
