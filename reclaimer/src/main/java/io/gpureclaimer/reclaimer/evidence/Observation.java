package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Result of one fetch from the activity source. */
public sealed interface Observation {

  /** The same observation with its pods matched to those of the cluster. */
  Observation joined(Collection<PodIdentity> identities);

  /**
   * A complete answer, as far as the source can know.
   *
   * @param at the source's own time of the answer; every age is measured against it
   * @param pods by pod UID; a pod that is missing here was not seen, which says nothing about it.
   *     Pods that are known by name only, and match no pod of the cluster, are here by name
   * @param oddities one line for each part of the answer that was left out, with the reason
   * @param unjoined what the source knows by the names of pods only, until {@link #joined}
   * @param sourceStartedAt when the source was started; absent if it does not report that
   * @param format evidence format; absent where there is only one
   */
  record Seen(
      Instant at,
      Map<String, PodActivity> pods,
      List<String> oddities,
      ByName unjoined,
      Optional<Instant> sourceStartedAt,
      Optional<FormatName> format)
      implements Observation {
    public Seen {
      // Each pod is looked up many times, which Map.copyOf takes longer for.
      pods = Collections.unmodifiableMap(new HashMap<>(pods));
      oddities = List.copyOf(oddities);
    }

    /** Pods known by UID, and nothing else. */
    public Seen(Instant at, Map<String, PodActivity> pods, List<String> oddities) {
      this(at, pods, oddities, ByName.nothing(), Optional.empty(), Optional.empty());
    }

    /** Activity of one pod; empty if it was not seen. */
    public Optional<PodActivity> pod(String uid) {
      return Optional.ofNullable(pods.get(uid));
    }

    /**
     * Matches pods by UID, and otherwise by name.
     *
     * <p>Activity under a name belongs to the pod that has the name now, from its start on: before,
     * another pod may have had it. A pod without a known start is not matched by name. Pods without
     * an identity stay, because they may share a GPU with another. A second join changes nothing.
     */
    @Override
    public Seen joined(Collection<PodIdentity> identities) {
      if (unjoined.isNothing() && areNamed(identities)) {
        return this;
      }
      Map<String, PodActivity> joined = new HashMap<>(pods);
      Map<PodName, PodActivity> nameless = new HashMap<>(unjoined.pods());
      for (PodIdentity identity : identities) {
        pod(identity.uid())
            .map(pod -> pod.of(identity))
            .or(() -> byName(identity))
            .map(pod -> pod.with(unjoined.signals().getOrDefault(identity.name(), List.of())))
            .ifPresent(pod -> joined.put(identity.uid(), pod));
        if (joined.containsKey(identity.uid())) {
          nameless.remove(identity.name());
        }
      }
      nameless.forEach((name, pod) -> joined.putIfAbsent(name.toString(), pod));
      return new Seen(at, joined, oddities, ByName.nothing(), sourceStartedAt, format);
    }

    /** Whether all of these pods that were seen are matched already. */
    private boolean areNamed(Collection<PodIdentity> identities) {
      for (PodIdentity identity : identities) {
        PodActivity pod = pods.get(identity.uid());
        if (pod != null && !pod.isOf(identity)) {
          return false;
        }
      }
      return true;
    }

    private Optional<PodActivity> byName(PodIdentity identity) {
      return Optional.ofNullable(unjoined.pods().get(identity.name()))
          .flatMap(pod -> identity.startedAt().map(start -> pod.of(identity).notBefore(start)));
    }

    /** The same observation with the signal history of one pod from an earlier one. */
    public Seen remembering(PodActivity earlier) {
      Map<String, PodActivity> known = new HashMap<>(pods);
      earlier
          .signalHistory()
          .ifPresent(
              history ->
                  known.computeIfPresent(
                      earlier.uid(),
                      (_, pod) -> pod.withSignalHistory(history.and(pod.devices()))));
      return of(known);
    }

    /** Both observations, at the later of their times: every age is then rather too long. */
    public Seen and(Seen other) {
      Map<String, PodActivity> both = new HashMap<>(other.pods);
      both.putAll(pods);
      return new Seen(
          at.isAfter(other.at) ? at : other.at, both, oddities, unjoined, sourceStartedAt, format);
    }

    /** The same observation of other pods. */
    Seen of(Map<String, PodActivity> others) {
      return new Seen(at, others, oddities, unjoined, sourceStartedAt, format);
    }

    /** The same observation with its format and the start of its source. */
    public Seen from(FormatName itsFormat, Optional<Instant> startedAt) {
      return new Seen(at, pods, oddities, unjoined, startedAt, Optional.of(itsFormat));
    }
  }

  /**
   * No answer, or one that may be incomplete: nothing is known about any pod.
   *
   * @param reason one line for people: what was asked, what was expected, what came
   */
  record Blind(String reason) implements Observation {
    @Override
    public Blind joined(Collection<PodIdentity> identities) {
      return this;
    }
  }

  /**
   * Activity and signals of pods whose UID the source does not know.
   *
   * @param pods activity by name
   * @param signals signals by name, of any pod
   */
  record ByName(Map<PodName, PodActivity> pods, Map<PodName, List<Signal>> signals) {
    private static final ByName NOTHING = new ByName(Map.of(), Map.of());

    public ByName {
      pods = Map.copyOf(pods);
      signals = Map.copyOf(signals);
    }

    boolean isNothing() {
      return pods.isEmpty() && signals.isEmpty();
    }

    /** Nothing is known by name. */
    public static ByName nothing() {
      return NOTHING;
    }
  }

  /**
   * A pod of the cluster, to match observed activity with.
   *
   * @param uid its UID
   * @param name its namespace and name
   * @param startedAt when the last of its containers started
   */
  record PodIdentity(String uid, PodName name, Optional<Instant> startedAt) {}

  /**
   * Name of an evidence format.
   *
   * @param code the stable name, for configuration, metrics and JSON
   * @param text for people
   */
  record FormatName(String code, String text) {
    @Override
    public String toString() {
      return code + ": " + text;
    }
  }

  /**
   * An observation of the past.
   *
   * @param seen as it would have been made then, not joined yet
   * @param names of its pods by UID, where a series names them
   */
  record HistoricalObservation(Seen seen, Map<String, PodName> names) {}

  /** Identity under which a source knows a pod; never blank. */
  sealed interface PodKey {

    /** For people. */
    String text();

    /** A UID, which no other pod ever has. */
    record Uid(String uid) implements PodKey {
      public Uid {
        requireText(uid);
      }

      @Override
      public String text() {
        return uid;
      }
    }

    /** A name, which another pod may have had. */
    record Named(PodName name) implements PodKey {
      public Named {
        requireText(name.namespace());
        requireText(name.name());
      }

      @Override
      public String text() {
        return name.toString();
      }
    }

    private static void requireText(String text) {
      if (text.isBlank()) {
        throw new IllegalArgumentException("the identity of a pod must not be blank");
      }
    }

    /** A device that is allocated to a pod. */
    record PodDevice(PodKey pod, Entity device) {
      @Override
      public String toString() {
        return "pod " + pod.text() + ", GPU " + device;
      }
    }

    /**
     * Namespace and name of a pod, which another pod may have had before. Another pod may have had
     * the same name before.
     *
     * @param namespace where it lives
     * @param name what it is called there
     */
    public record PodName(String namespace, String name) {

      @Override
      public String toString() {
        return namespace + "/" + name;
      }
    }
  }
}
