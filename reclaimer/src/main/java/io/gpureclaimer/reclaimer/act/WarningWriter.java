package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.core.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.Annotated;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Step;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/**
 * Writes warnings on pods and takes them back.
 *
 * <p>A warning is an Event, which people read, and two annotations, which the next cycle reads. The
 * Event comes first: a warning that reached nobody is not recorded, so the grace never starts
 * without one.
 */
public final class WarningWriter {
  private final Cluster cluster;
  private final Announcement announcement;
  private final Clock clock;
  private final boolean rehearse;

  public WarningWriter(Cluster cluster, Announcement announcement, Clock clock, boolean rehearse) {
    this.cluster = cluster;
    this.announcement = announcement;
    this.clock = clock;
    this.rehearse = rehearse;
  }

  Deed give(Step.Warn step) {
    if (rehearse) {
      return new Deed.Rehearsed(step);
    }
    PodView pod = step.verdict().pod();
    if (!cluster.tell(pod.ref(), announcement.warning(step.verdict()))) {
      return new Deed.Failed(step, "the Event that warns could not be stored, so nobody is warned");
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    return annotate(
        step,
        pod,
        Map.of(
            Annotations.WARNED_AT, Optional.of(now.toString()),
            Annotations.IDLE_SINCE, Optional.of(step.verdict().idleSince().toString())));
  }

  Deed takeBack(Step.Withdraw step) {
    if (rehearse) {
      return new Deed.Rehearsed(step);
    }
    PodView pod = step.verdict().pod();
    Deed deed =
        annotate(
            step,
            pod,
            Map.of(
                Annotations.WARNED_AT, Optional.empty(),
                Annotations.IDLE_SINCE, Optional.empty()));
    if (deed instanceof Deed.Done) {
      Notice notice = announcement.withdrawal(step.verdict());
      cluster.tell(pod.ref(), notice);
    }
    return deed;
  }

  private Deed annotate(Step step, PodView pod, Map<String, Optional<String>> changes) {
    return switch (cluster.annotate(pod, changes)) {
      case Annotated.Written _ -> new Deed.Done(step);
      case Annotated.Changed _ -> new Deed.Spared(step, "the pod changed meanwhile");
      case Annotated.Gone _ -> new Deed.Spared(step, "the pod is gone");
      case Annotated.Refused(int code, String message) ->
          new Deed.Failed(step, "the API server answered " + code + ": " + message);
    };
  }
}
