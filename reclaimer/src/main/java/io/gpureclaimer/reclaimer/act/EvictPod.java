package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Eviction;
import io.gpureclaimer.reclaimer.cluster.PodView;

/** Evicts a pod that nobody would recreate, through the Eviction API. */
record EvictPod(Cluster cluster) implements Verb {

  /** Its stable name, which is part of every action id. */
  static final String NAME = "evict";

  @Override
  public Attempt on(PodView pod, boolean rehearse) {
    return switch (cluster.evict(pod, rehearse)) {
      case Eviction.Accepted _ -> new Attempt.Accepted();
      case Eviction.Blocked(var retryAfter, String message) ->
          new Attempt.Blocked(retryAfter, message);
      case Eviction.Gone _ -> new Attempt.Missed("the pod is gone");
      case Eviction.Changed(String message) ->
          new Attempt.Missed("the pod changed in the last moment: " + message);
      case Eviction.Refused(int code, String message) ->
          new Attempt.Refused("the API server answered " + code + ": " + message);
    };
  }
}
