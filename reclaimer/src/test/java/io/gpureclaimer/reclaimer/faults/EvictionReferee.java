package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Sees every eviction in the moment when it happens, and holds it against the truth. It writes down
 * what was wrong and lets it happen, so that a run shows all its wrongs. Knows nothing of the
 * program's own thoughts.
 */
final class EvictionReferee {
  private final SkewedClocks time;
  private final SimulatedCluster cluster;
  private final ExpectedLimits rules;
  private final Function<PodRef, Optional<ActualWork>> lives;
  private final Function<PodView, Optional<Instant>> watchedSince;
  private final Function<PodRef, Map<SecondarySignal, Instant>> signals;
  private final Predicate<PodView> uncounted;
  private final WarningCoverage warned;
  private final Set<String> evicted = new HashSet<>();
  private final List<String> wrongs = new ArrayList<>();
  private int evictedInThisCycle;

  /**
   * @param lives what each pod really does
   * @param watchedSince since when the pod has really been observed by a source that can report it
   * @param signals when each signal last showed work of a pod, as far as it was reported
   * @param uncounted whether the agent must be known not to report the device count of the pod
   * @param warned whether all receivers had a warning of the pod
   */
  EvictionReferee(
      SkewedClocks time,
      SimulatedCluster cluster,
      ExpectedLimits rules,
      Function<PodRef, Optional<ActualWork>> lives,
      Function<PodView, Optional<Instant>> watchedSince,
      Function<PodRef, Map<SecondarySignal, Instant>> signals,
      Predicate<PodView> uncounted,
      WarningCoverage warned) {
    this.time = time;
    this.cluster = cluster;
    this.rules = rules;
    this.lives = lives;
    this.watchedSince = watchedSince;
    this.signals = signals;
    this.uncounted = uncounted;
    this.warned = warned;
  }

  /** Whether all who must be warned of a pod were, in a stretch of time. */
  interface WarningCoverage {
    boolean all(PodRef pod, Instant from, Instant to);
  }

  void cycleBegins() {
    evictedInThisCycle = 0;
  }

  /** The pod goes now. */
  void evicts(PodView seen) {
    PodRef pod = seen.ref();
    require(evicted.add(pod.uid()), pod, "evicted twice");
    evictedInThisCycle++;
    require(evictedInThisCycle <= rules.maxEvictions(), pod, "evicted beyond the cap");
    checkWork(pod);
    checkSideWork(pod, Set.of());
    checkWatched(seen);
    checkWarning(pod);
    checkAllowed(cluster.fresh(pod).orElse(seen));
  }

  /** The owner of these pods is stopped now, and they go. */
  void stops(List<PodView> pods) {
    evictedInThisCycle++;
    for (PodView pod : pods) {
      require(evictedInThisCycle <= rules.maxEvictions(), pod.ref(), "stopped beyond the cap");
      checkWork(pod.ref());
      checkSideWork(pod.ref(), noise(pod));
      checkWatched(pod);
      String mode = modeOf(pod);
      require(mode.equals("always") || mode.equals("on-demand"), pod.ref(), "in mode " + mode);
      require(
          pods.stream().anyMatch(other -> isWarned(other.ref(), noise(other))),
          pod.ref(),
          "its owner was stopped without a warning in time");
    }
  }

  private void checkWork(PodRef pod) {
    Duration noticed = rules.areWhole() ? idleAfter(pod) : rules.noticed();
    Instant allowed = time.now().minus(noticed).plus(rules.slack());
    Optional<Instant> work = lastWork(pod);
    require(
        work.isEmpty() || !work.get().isAfter(allowed),
        pod,
        "worked at " + work + " within its idle time");
  }

  /** Servers spin on the CPU while they wait for requests, so it does not count for them. */
  private static Set<SecondarySignal> noise(PodView pod) {
    return pod.traits().endpoint().isPresent() ? EnumSet.of(SecondarySignal.CPU) : Set.of();
  }

  private void checkSideWork(PodRef pod, Set<SecondarySignal> noise) {
    Instant allowed = time.now().minus(idleAfter(pod)).plus(rules.sideWorkSlack());
    signals
        .apply(pod)
        .forEach(
            (what, at) ->
                require(
                    noise.contains(what) || !at.isAfter(allowed),
                    pod,
                    what + " showed it at " + at));
  }

  private void checkWatched(PodView pod) {
    Instant allowed = time.now().minus(idleAfter(pod.ref())).plus(rules.slack());
    Optional<Instant> since = watchedSince.apply(pod);
    require(
        since.isPresent() && !since.get().isAfter(allowed),
        pod.ref(),
        "it could not be known to be idle: watched since " + since);
    require(!uncounted.test(pod), pod.ref(), "its device count was missing");
  }

  private boolean isWarned(PodRef pod, Set<SecondarySignal> noise) {
    Instant allowed = time.now().minus(rules.warnBefore()).plus(rules.slack());
    Instant work = rules.areWhole() ? lastSign(pod, noise) : Instant.MIN;
    return cluster.events().stream()
        .filter(event -> event.pod().equals(pod))
        .filter(event -> event.notice().reason().equals("GPUIdleWarned"))
        .map(StoredEvent::at)
        .anyMatch(at -> !at.isBefore(work) && !at.isAfter(allowed));
  }

  private void checkWarning(PodRef pod) {
    Instant allowed = time.now().minus(rules.warnBefore()).plus(rules.slack());
    Instant work = rules.areWhole() ? lastSign(pod, Set.of()) : Instant.MIN;
    require(isWarned(pod, Set.of()), pod, "no warning was delivered in time since it worked");
    require(warned.all(pod, work, allowed), pod, "a receiver had no warning in time");
  }

  private void checkAllowed(PodView pod) {
    String mode = modeOf(pod);
    require(mode.equals("always") || mode.equals("on-demand"), pod.ref(), "in mode " + mode);
    require(pod.owner().isEmpty(), pod.ref(), "its owner would only recreate it");
    require(pod.untouchable().isEmpty(), pod.ref(), "untouchable: " + pod.untouchable());
    require(
        !pod.annotations().getOrDefault(Annotations.EXCLUDE, "false").equals("true"),
        pod.ref(),
        "excluded");
    require(
        !pod.annotations().containsKey("karpenter.sh/do-not-disrupt"),
        pod.ref(),
        "another tool's opt-out");
    require(!pod.otherAccelerators(), pod.ref(), "holds what is not counted");
    if (mode.equals("on-demand")) {
      boolean wanted =
          cluster.view().pods().stream().anyMatch(other -> other.waiting().isPresent());
      require(wanted, pod.ref(), "evicted on demand, and no pod is pending");
    }
  }

  /** What the namespace says now; nonsense makes the whole of it a report. */
  private Duration idleAfter(PodRef pod) {
    String text =
        cluster
            .freshNamespace(pod.namespace())
            .map(view -> view.annotations().getOrDefault(Annotations.IDLE_AFTER, ""))
            .orElse("");
    require(text.matches("\\d+m"), pod, "its idle time was " + text);
    return text.matches("\\d+m") ? Duration.parse("PT" + text) : rules.idleAfter();
  }

  private String modeOf(PodView pod) {
    String own = pod.annotations().getOrDefault(Annotations.MODE, "");
    String ceiling =
        cluster
            .freshNamespace(pod.ref().namespace())
            .map(view -> view.annotations().getOrDefault(Annotations.MODE, "report"))
            .orElse("off");
    return own.equals("off") || own.equals("report") ? own : ceiling;
  }

  private Instant lastSign(PodRef pod, Set<SecondarySignal> noise) {
    return Stream.concat(
            lastWork(pod).stream(),
            signals.apply(pod).entrySet().stream()
                .filter(each -> !noise.contains(each.getKey()))
                .map(Map.Entry::getValue))
        .max(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }

  private Optional<Instant> lastWork(PodRef pod) {
    return lives
        .apply(pod)
        .orElseThrow(() -> new IllegalStateException("a pod without a life: " + pod))
        .lastWork(time.now(), rules.shortest());
  }

  private void require(boolean right, PodRef pod, String wrong) {
    if (!right) {
      wrongs.add(time.now() + " " + pod + ": " + wrong);
    }
  }

  /** Whatever was wrong, in order of time. */
  List<String> wrongs() {
    return List.copyOf(wrongs);
  }

  int evictions() {
    return evicted.size();
  }

  boolean hasEvicted(PodRef pod) {
    return evicted.contains(pod.uid());
  }
}
