package io.gpureclaimer.reclaimer.activity;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one look at the activity source brought. */
public sealed interface Observation {

  /**
   * The source answered, completely as far as it can tell.
   *
   * @param at the source's own time of the answer; every age is measured against it
   * @param pods by pod UID; a pod that is missing here was not seen, which says nothing about it
   * @param oddities one line for each thing in the answer that was left out, and why
   */
  record Seen(Instant at, Map<String, PodActivity> pods, List<String> oddities)
      implements Observation {
    public Seen {
      pods = Map.copyOf(pods);
      oddities = List.copyOf(oddities);
    }

    /** What was seen of the pod, or nothing. */
    public Optional<PodActivity> pod(String uid) {
      return Optional.ofNullable(pods.get(uid));
    }
  }

  /**
   * The source did not answer, or its answer may be incomplete: nothing is known about any pod.
   *
   * @param reason one line for people: what was asked, what was expected, what came
   */
  record Blind(String reason) implements Observation {}
}
