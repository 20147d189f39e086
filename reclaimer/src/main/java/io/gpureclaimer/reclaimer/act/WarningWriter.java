package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.Annotated;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Warning;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes warnings on pods and takes them back.
 *
 * <p>A warning is an Event, which people read, and annotations, which the next cycle reads. The
 * messages and the Event come first: a warning that did not reach everybody who must have it is not
 * recorded, so the grace never starts without one.
 */
public final class WarningWriter {
  private static final long ALMOST_A_SECOND = 999_999_999;

  private final Cluster cluster;
  private final Leadership leadership;
  private final Messenger messenger;
  private final Backoff backoff;
  private final Clock clock;
  private final boolean rehearse;

  public WarningWriter(
      Cluster cluster,
      Leadership leadership,
      Messenger messenger,
      Backoff backoff,
      Clock clock,
      boolean rehearse) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.messenger = messenger;
    this.backoff = backoff;
    this.clock = clock;
    this.rehearse = rehearse;
  }

  Deed give(Step.Warn step) {
    if (rehearse) {
      return new Deed.Rehearsed(step);
    }
    PodView pod = step.verdict().pod();
    Notice warning = Announcement.warning(step);
    Optional<String> undelivered = messenger.warn(step.verdict(), warning);
    if (undelivered.isPresent()) {
      backoff.putOff(step.verdict(), Optional.empty(), undelivered.get());
      return new Deed.Failed(step, "the warning was not delivered: " + undelivered.get());
    }
    if (!leadership.isHeld()) {
      return new Deed.NotLeading(step);
    }
    if (!cluster.tell(pod.ref(), warning)) {
      return new Deed.Failed(step, "the Event that warns could not be stored, so nobody is warned");
    }
    if (!leadership.isHeld()) {
      return new Deed.NotLeading(step);
    }
    Deed deed = annotate(step, pod, written(step));
    if (deed instanceof Deed.Failed(_, String why)) {
      // The Event is out, and another one in every cycle would help nobody.
      backoff.putOff(step.verdict(), Optional.empty(), why);
    }
    return deed;
  }

  Deed takeBack(Step.Withdraw step) {
    if (rehearse) {
      return new Deed.Rehearsed(step);
    }
    PodView pod = step.verdict().pod();
    Deed deed = annotate(step, pod, with(Optional.empty(), Warning.removal()));
    if (deed instanceof Deed.Done && leadership.isHeld()) {
      Notice withdrawal = Announcement.withdrawal(step.verdict());
      cluster.tell(pod.ref(), withdrawal);
      messenger.tell(step.verdict(), withdrawal);
    }
    return deed;
  }

  private Map<String, Optional<String>> written(Step.Warn step) {
    return with(ActionId.of(step), Warning.of(step.verdict(), nextSecond()).annotations());
  }

  private static Map<String, Optional<String>> with(
      Optional<ActionId> id, Map<String, Optional<String>> changes) {
    var all = new HashMap<>(changes);
    all.put(Annotations.ACTION_ID, id.map(ActionId::value));
    return all;
  }

  private Deed annotate(Step step, PodView pod, Map<String, Optional<String>> changes) {
    return switch (cluster.annotate(pod, changes)) {
      case Annotated.Written _ -> new Deed.Done(step);
      case Annotated.Changed _ -> new Deed.Spared(step, "the pod changed in the last moment");
      case Annotated.Gone _ -> new Deed.Spared(step, "the pod is gone");
      case Annotated.Refused(int code, String message) ->
          new Deed.Failed(step, "the API server answered " + code + ": " + message);
    };
  }

  /** The grace is counted from here; rounded down, it would be a moment too short. */
  private Instant nextSecond() {
    return clock.instant().plusNanos(ALMOST_A_SECOND).truncatedTo(ChronoUnit.SECONDS);
  }
}
