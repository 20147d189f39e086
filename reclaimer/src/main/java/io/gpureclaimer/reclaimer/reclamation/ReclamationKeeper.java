package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Cluster.RecordResult;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Progress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.reclamation.FieldWriter.Holding;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.NextStep;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.Situation;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.CycleTriggers;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreCause;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreTrigger;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings every record of an action to its end: finishes or rolls back what a process left half
 * done, confirms that the pods are gone, notices that others changed the owner, and restores.
 * Confined to the thread of the cycle.
 */
public final class ReclamationKeeper {
  private static final Logger log = LoggerFactory.getLogger(ReclamationKeeper.class);

  private final Cluster cluster;
  private final Leadership leadership;
  private final RestoreTriggers triggers;
  private final FieldWriter writer;
  private final Clock clock;
  private final boolean dryRun;

  /**
   * @param dryRun whether nothing may be written; records then stay as they are
   */
  public ReclamationKeeper(
      Cluster cluster,
      Leadership leadership,
      RestoreTriggers triggers,
      Clock clock,
      boolean dryRun) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.triggers = triggers;
    this.writer = new FieldWriter(cluster);
    this.clock = clock;
    this.dryRun = dryRun;
  }

  /**
   * A record that reached another state.
   *
   * @param record as it is stored now
   * @param before the state before
   * @param trigger what made the reclaimer restore the owner; absent where it did not
   */
  public record Transition(
      Reclamation record, ReclamationState before, Optional<RestoreTrigger> trigger) {

    /** What the record says now. */
    public Progress progress() {
      return record.status().orElseThrow();
    }
  }

  /** Brings all records one step on, and returns those that reached another state. */
  public List<Transition> update(ClusterView view) {
    if (dryRun) {
      return List.of();
    }
    CycleTriggers due = triggers.in(view, clock.instant());
    Set<String> pods = new HashSet<>();
    for (PodView pod : view.pods()) {
      pods.add(pod.ref().uid());
    }
    List<Transition> transitions = new ArrayList<>();
    for (Reclamation record : view.reclamations().orElse(List.of())) {
      if (!leadership.isHeld()) {
        return transitions;
      }
      open(record)
          .flatMap(progress -> update(record, progress, view, due, pods))
          .ifPresent(transitions::add);
    }
    return transitions;
  }

  /** Restores the owner of one record now, whatever its triggers say. */
  public Optional<Transition> restore(Reclamation record) {
    var cause = new RestoreCause(RestoreTrigger.COMMAND, "requested by a command");
    return open(record)
        .flatMap(
            progress -> carryOut(record, progress, situation(progress, false, Optional.of(cause))));
  }

  private static Optional<Progress> open(Reclamation record) {
    return record.status().filter(progress -> !progress.state().isFinal());
  }

  private Optional<Transition> update(
      Reclamation record,
      Progress progress,
      ClusterView view,
      CycleTriggers due,
      Set<String> pods) {
    Optional<OwnerView> owner = Optional.ofNullable(view.owners().get(progress.owner().uid()));
    boolean podsLeft = progress.pods().stream().anyMatch(pod -> pods.contains(pod.uid()));
    Optional<RestoreCause> restore = due.of(record, owner);
    if (isSettled(progress, owner, podsLeft, restore)) {
      return Optional.empty();
    }
    Situation situation = situation(progress, podsLeft, restore);
    // The watch and the API server have to agree that the owner is gone.
    return situation.isGone() && owner.isPresent()
        ? Optional.empty()
        : carryOut(record, progress, situation);
  }

  /** Whether the watch alone says that nothing has happened: then no call is made. */
  private static boolean isSettled(
      Progress progress,
      Optional<OwnerView> owner,
      boolean podsLeft,
      Optional<RestoreCause> restore) {
    boolean waits =
        progress.state() == ReclamationState.RECLAIMED
            || (progress.state() == ReclamationState.ACTING && podsLeft);
    return waits
        && restore.isEmpty()
        && progress.changes().stream()
            .filter(change -> change.object().equals(progress.owner()))
            .allMatch(change -> FieldWriter.holding(change, owner) == Holding.WRITTEN);
  }

  private Situation situation(Progress progress, boolean podsLeft, Optional<RestoreCause> restore) {
    List<Holding> owner = new ArrayList<>();
    List<Holding> others = new ArrayList<>();
    for (FieldChange change : progress.changes()) {
      boolean ofOwner = change.object().kind().equals(progress.owner().kind());
      (ofOwner ? owner : others).add(writer.holding(change));
    }
    return new Situation(owner, others, podsLeft, restore);
  }

  private Optional<Transition> carryOut(
      Reclamation record, Progress progress, Situation situation) {
    return switch (ReclamationRule.decide(progress, situation, clock.instant())) {
      case NextStep.Stay() -> Optional.empty();
      case NextStep.Move(var state, var message) ->
          moved(record, progress, state, message, Optional.empty());
      case NextStep.WriteBack(var end, var message) ->
          end == ReclamationState.RESTORED
              ? restored(record, progress, message, trigger(situation))
              : writtenBack(record, progress, end, message, Optional.empty());
    };
  }

  private static RestoreTrigger trigger(Situation situation) {
    return situation.restore().map(RestoreCause::trigger).orElse(RestoreTrigger.CONTINUED);
  }

  /** The record says that fields are being written back before the first of them is. */
  private Optional<Transition> restored(
      Reclamation record, Progress progress, String message, RestoreTrigger trigger) {
    Optional<Reclamation> restoring =
        progress.state() == ReclamationState.RESTORING
            ? Optional.of(record)
            : moved(record, progress, ReclamationState.RESTORING, message, Optional.of(trigger))
                .map(Transition::record);
    return restoring.flatMap(
        known ->
            writtenBack(known, progress, ReclamationState.RESTORED, message, Optional.of(trigger)));
  }

  private Optional<Transition> writtenBack(
      Reclamation record,
      Progress progress,
      ReclamationState end,
      String message,
      Optional<RestoreTrigger> trigger) {
    for (List<FieldChange> group : FieldWriter.writes(progress.changes()).reversed()) {
      if (!leadership.isHeld()) {
        return Optional.empty();
      }
      ActionResult result = writer.restore(group, false);
      if (!(result instanceof ActionResult.Done)) {
        log.warn(
            "owner not restored, tried again in the next cycle: {}: {}", progress.owner(), result);
        return Optional.empty();
      }
    }
    return moved(record, progress, end, message, trigger);
  }

  private Optional<Transition> moved(
      Reclamation record,
      Progress progress,
      ReclamationState state,
      String message,
      Optional<RestoreTrigger> trigger) {
    Instant now = clock.instant();
    Timeline times =
        switch (state) {
          case ACTING -> progress.times().acted(now);
          case RECLAIMED -> progress.times().reclaimed(now);
          case RESTORED, SUPERSEDED, CONTESTED, FAILED -> progress.times().ended(now);
          case INTENDED, RESTORING -> progress.times();
        };
    if (!leadership.isHeld()) {
      return Optional.empty();
    }
    return switch (cluster.update(record.with(progress.in(state, message, times)))) {
      case RecordResult.Stored(var stored) ->
          Optional.of(new Transition(stored, progress.state(), trigger));
      case RecordResult.NotStored(var why) -> {
        log.warn("record of {} not updated to {}: {}", progress.owner(), state.text(), why);
        yield Optional.empty();
      }
    };
  }
}
