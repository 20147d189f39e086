package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An eviction that the API server accepted. It has no record, so only the replica that made it
 * remembers it.
 *
 * @param recreatedAt when a pod of the same name was found within an hour; empty if none was
 */
public record Eviction(Step.Act act, Instant at, Optional<Instant> recreatedAt) {
  /** An eviction of which nothing else is known. */
  public Eviction(Step.Act act, Instant at) {
    this(act, at, Optional.empty());
  }

  /** The same, after a pod of its name was created again. */
  public Eviction recreated(Instant found) {
    return new Eviction(act, at, Optional.of(found));
  }

  /** Whether it was of the pod of this name, and none of its name has come back yet. */
  public boolean isOpenOf(PodRef pod) {
    Workload workload = act.workload();
    return recreatedAt.isEmpty()
        && workload.kind().equals("Pod")
        && workload.name().equals(pod.name())
        && workload.namespace().equals(pod.namespace());
  }

  /** How people get the pod back, in whole sentences. */
  public String wayBack() {
    return act.action() instanceof Action.Evict evict ? evict.wayBack(act.workload()) : "";
  }

  /** For how long it has been over. */
  public Duration age(Instant now) {
    return Duration.between(at, now);
  }
}
