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

  public ReclamationKeeper(
      Cluster cluster, Leadership leadership, RestoreTriggers triggers, Clock clock) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.triggers = triggers;
    this.writer = new FieldWriter(cluster);
    this.clock = clock;
  }

  /**
   * A record that reached another state.
   *
   * @param record as it is stored now
   * @param before the state before
   */
  public record Transition(Reclamation record, ReclamationState before) {

    /** What the record says now. */
    public Progress progress() {
      return record.status().orElseThrow();
    }
  }

  /** Brings all records one step on, and returns those that reached another state. */
  public List<Transition> update(ClusterView view) {
    List<Reclamation> records = view.reclamations().orElse(List.of());
    Set<String> pods = new HashSet<>();
    for (PodView pod : view.pods()) {
      pods.add(pod.ref().uid());
    }
    List<Transition> transitions = new ArrayList<>();
    for (Reclamation record : records) {
      if (!leadership.isHeld()) {
        return transitions;
      }
      record
          .status()
          .filter(progress -> !progress.state().isFinal())
          .flatMap(progress -> update(record, progress, view, pods))
          .ifPresent(transitions::add);
    }
    return transitions;
  }

  /** Restores the owner of one record now, whatever its triggers say. */
  public Optional<Transition> restore(Reclamation record) {
    return record
        .status()
        .filter(progress -> !progress.state().isFinal())
        .flatMap(
            progress ->
                carryOut(
                    record,
                    progress,
                    ReclamationRule.decide(
                        progress,
                        situation(progress, false, Optional.of("requested by a command")),
                        clock.instant())));
  }

  private Optional<Transition> update(
      Reclamation record, Progress progress, ClusterView view, Set<String> pods) {
    Optional<OwnerView> owner = Optional.ofNullable(view.owners().get(progress.owner().uid()));
    boolean podsLeft = progress.pods().stream().anyMatch(pod -> pods.contains(pod.uid()));
    Instant now = clock.instant();
    Optional<String> restore = triggers.of(record, owner, view, now);
    if (isSettled(progress, owner, podsLeft, restore)) {
      return Optional.empty();
    }
    Situation situation = situation(progress, podsLeft, restore);
    // The watch and the API server have to agree that the owner is gone.
    return situation.isGone() && owner.isPresent()
        ? Optional.empty()
        : carryOut(record, progress, ReclamationRule.decide(progress, situation, now));
  }

  /** Whether the watch alone says that nothing has happened: then no call is made. */
  private static boolean isSettled(
      Progress progress, Optional<OwnerView> owner, boolean podsLeft, Optional<String> restore) {
    boolean waits =
        progress.state() == ReclamationState.RECLAIMED
            || (progress.state() == ReclamationState.ACTING && podsLeft);
    return waits
        && restore.isEmpty()
        && progress.changes().stream()
            .filter(change -> change.object().equals(progress.owner()))
            .allMatch(change -> FieldWriter.holding(change, owner) == Holding.WRITTEN);
  }

  private Situation situation(Progress progress, boolean podsLeft, Optional<String> restore) {
    List<Holding> owner = new ArrayList<>();
    List<Holding> others = new ArrayList<>();
    for (FieldChange change : progress.changes()) {
      boolean ofOwner = change.object().kind().equals(progress.owner().kind());
      (ofOwner ? owner : others).add(writer.holding(change));
    }
    return new Situation(owner, others, podsLeft, restore);
  }

  private Optional<Transition> carryOut(Reclamation record, Progress progress, NextStep step) {
    return switch (step) {
      case NextStep.Stay() -> Optional.empty();
      case NextStep.Move(var state, var message) -> moved(record, progress, state, message);
      case NextStep.WriteBack(var end, var message) -> writeBack(record, progress, end, message);
    };
  }

  private Optional<Transition> writeBack(
      Reclamation record, Progress progress, ReclamationState end, String message) {
    Optional<Reclamation> restoring =
        end == ReclamationState.RESTORED && progress.state() != ReclamationState.RESTORING
            ? moved(record, progress, ReclamationState.RESTORING, message).map(Transition::record)
            : Optional.of(record);
    if (restoring.isEmpty()) {
      return Optional.empty();
    }
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
    return moved(restoring.get(), progress, end, message);
  }

  private Optional<Transition> moved(
      Reclamation record, Progress progress, ReclamationState state, String message) {
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
      case RecordResult.Stored(var stored) -> Optional.of(new Transition(stored, progress.state()));
      case RecordResult.NotStored(var why) -> {
        log.warn("record of {} not updated to {}: {}", progress.owner(), state.text(), why);
        yield Optional.empty();
      }
    };
  }
}
