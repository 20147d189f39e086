package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.act.SecondLook.Outcome;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.plan.Step;
import java.util.Optional;

/**
 * What every act has in common, whatever its verb: a second look before it, the lease, a backoff
 * after a refusal, and an Event. Confined to the cycle's thread.
 */
public final class Reclamation {
  private final Cluster cluster;
  private final Leadership leadership;
  private final Messenger messenger;
  private final SecondLook secondLook;
  private final Backoff backoff;
  private final boolean rehearse;

  public Reclamation(
      Cluster cluster,
      Leadership leadership,
      Messenger messenger,
      SecondLook secondLook,
      Backoff backoff,
      boolean rehearse) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.messenger = messenger;
    this.secondLook = secondLook;
    this.backoff = backoff;
    this.rehearse = rehearse;
  }

  Deed of(Step.Evict step, Observation.Seen seen, Witness witness) {
    Optional<PodRef> served = step.forWhom().map(demand -> demand.pod()).filter(this::hasEnough);
    if (served.isPresent()) {
      return new Deed.Spared(step, "pod " + served.get() + " does not wait any more");
    }
    Outcome outcome = secondLook.at(step.verdict(), seen);
    outcome.look().ifPresent(witness::looksAgain);
    return switch (outcome) {
      case Outcome.Refuted(String why, _) -> spared(step, why);
      case Outcome.Confirmed _ when !leadership.isHeld() -> new Deed.NotLeading(step);
      case Outcome.Confirmed(LookAgain again) when secondLook.isRecent(again) ->
          act(step, again.pod(), new EvictPod(cluster));
      case Outcome.Confirmed _ -> spared(step, "it was looked at again too long ago");
    };
  }

  private Deed act(Step.Evict step, PodView pod, Verb verb) {
    return switch (verb.on(pod, rehearse)) {
      case Attempt.Accepted _ -> accepted(step, pod);
      case Attempt.Blocked(var retryAfter, String message) ->
          new Deed.Postponed(step, backoff.putOff(step.verdict(), retryAfter, message), message);
      case Attempt.Missed(String why) -> spared(step, why);
      case Attempt.Refused(String why) -> failed(step, why);
    };
  }

  private Deed accepted(Step.Evict step, PodView pod) {
    backoff.forget(step.verdict());
    if (rehearse) {
      return new Deed.Rehearsed(step);
    }
    if (leadership.isHeld()) {
      Notice eviction = Announcement.eviction(step);
      cluster.tell(pod.ref(), eviction);
      messenger.tell(step.verdict(), eviction);
    }
    return new Deed.Done(step);
  }

  private Deed spared(Step.Evict step, String why) {
    backoff.putOff(step.verdict(), Optional.empty(), why);
    return new Deed.Spared(step, why);
  }

  private Deed failed(Step.Evict step, String why) {
    backoff.putOff(step.verdict(), Optional.empty(), why);
    return new Deed.Failed(step, why);
  }

  private boolean hasEnough(PodRef waiting) {
    return cluster.look().pods().stream()
        .noneMatch(
            pod -> pod.ref().equals(waiting) && pod.waiting().isPresent() && !pod.terminating());
  }
}
