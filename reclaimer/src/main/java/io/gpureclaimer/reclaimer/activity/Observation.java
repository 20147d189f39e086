package io.gpureclaimer.reclaimer.activity;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one look at the activity source brought. */
public sealed interface Observation {

  /** The same, once the cluster has told who its pods are. */
  Observation joined(Collection<Holder> holders);

  /**
   * The source answered, completely as far as it can tell.
   *
   * @param at the source's own time of the answer; every age is measured against it
   * @param pods by pod UID; a pod that is missing here was not seen, which says nothing about it.
   *     Those that only their name is known of, and that no holder was found for, are here by name
   * @param oddities one line for each thing in the answer that was left out, and why
   * @param unjoined what the source knows by the names of pods only, until {@link #joined}
   * @param health of the source
   * @param form what the evidence was made of; absent where there is only one way
   */
  record Seen(
      Instant at,
      Map<String, PodActivity> pods,
      List<String> oddities,
      ByName unjoined,
      SourceHealth health,
      Optional<SourceForm> form)
      implements Observation {
    public Seen {
      // Each pod is looked up many times, which Map.copyOf takes longer for.
      pods = Collections.unmodifiableMap(new HashMap<>(pods));
      oddities = List.copyOf(oddities);
    }

    /** Pods known by UID, and nothing else. */
    public Seen(Instant at, Map<String, PodActivity> pods, List<String> oddities) {
      this(at, pods, oddities, ByName.nothing(), SourceHealth.unknown(), Optional.empty());
    }

    /** What was seen of the pod, or nothing. */
    public Optional<PodActivity> pod(String uid) {
      return Optional.ofNullable(pods.get(uid));
    }

    /** Joining again changes nothing. */
    @Override
    public Seen joined(Collection<Holder> holders) {
      return new Seen(at, Join.of(this, holders), oddities, ByName.nothing(), health, form);
    }

    /** The same, with what an earlier look knew of the past of one pod. */
    public Seen remembering(PodActivity earlier) {
      Map<String, PodActivity> known = new HashMap<>(pods);
      earlier
          .heard()
          .ifPresent(
              heard -> known.computeIfPresent(earlier.uid(), (_, pod) -> pod.remembered(heard)));
      return of(known);
    }

    /** The same with other pods. */
    Seen of(Map<String, PodActivity> others) {
      return new Seen(at, others, oddities, unjoined, health, form);
    }

    /** The same, said to be made of that. */
    public Seen made(SourceForm of, SourceHealth itsHealth) {
      return new Seen(at, pods, oddities, unjoined, itsHealth, Optional.of(of));
    }
  }

  /**
   * The source did not answer, or its answer may be incomplete: nothing is known about any pod.
   *
   * @param reason one line for people: what was asked, what was expected, what came
   */
  record Blind(String reason) implements Observation {
    @Override
    public Blind joined(Collection<Holder> holders) {
      return this;
    }
  }
}
