package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.act.SecondLook.Outcome;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Eviction;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Step;
import java.time.Instant;
import java.util.Optional;

/** Evicts a pod through the Eviction API, after a second look. Confined to the cycle's thread. */
public final class Evictor {
  private final Cluster cluster;
  private final Leadership leadership;
  private final SecondLook secondLook;
  private final Backoff backoff;
  private final Announcement announcement;
  private final boolean rehearse;

  public Evictor(
      Cluster cluster,
      Leadership leadership,
      SecondLook secondLook,
      Backoff backoff,
      Announcement announcement,
      boolean rehearse) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.secondLook = secondLook;
    this.backoff = backoff;
    this.announcement = announcement;
    this.rehearse = rehearse;
  }

  Deed evict(Step.Evict step, String reason, Observation.Seen seen) {
    String uid = step.verdict().pod().ref().uid();
    Optional<Instant> notBefore = backoff.notBefore(uid);
    if (notBefore.isPresent()) {
      return new Deed.Postponed(step, notBefore.get(), "its disruption budget had no room");
    }
    return switch (secondLook.at(step.verdict(), seen)) {
      case Outcome.Refuted(String why) -> new Deed.Spared(step, why);
      case Outcome.Confirmed(PodView pod) when leadership.isHeld() -> evict(step, pod, reason);
      case Outcome.Confirmed _ -> new Deed.NotLeading(step);
    };
  }

  private Deed evict(Step.Evict step, PodView pod, String reason) {
    return switch (cluster.evict(pod, rehearse)) {
      case Eviction.Accepted _ -> accepted(step, pod, reason);
      case Eviction.Blocked(var retryAfter, String message) ->
          new Deed.Postponed(step, backoff.blocked(pod.ref().uid(), retryAfter), message);
      case Eviction.Gone _ -> new Deed.Spared(step, "the pod is gone");
      case Eviction.Changed(String message) -> new Deed.Spared(step, message);
      case Eviction.Refused(int code, String message) ->
          new Deed.Failed(step, "the API server answered " + code + ": " + message);
    };
  }

  private Deed accepted(Step.Evict step, PodView pod, String reason) {
    backoff.forget(pod.ref().uid());
    if (rehearse) {
      return new Deed.Rehearsed(step);
    }
    cluster.tell(pod.ref(), announcement.eviction(step.verdict(), reason));
    return new Deed.Done(step);
  }
}
