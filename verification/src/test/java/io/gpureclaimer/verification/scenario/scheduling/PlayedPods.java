package io.gpureclaimer.verification.scenario.scheduling;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What pods really do while they are played, and which of them were evicted. Of ten pods that run,
 * six work all the time, two stop at once, and two work and rest in turn. Safe for any thread.
 */
final class PlayedPods implements ResourceEventHandler<Pod> {
  /** A pod that began to work this shortly before its deletion was seen may have been idle. */
  private static final Duration DELIVERY = Duration.ofSeconds(2);

  private static final Duration TURN = Duration.ofSeconds(50);

  private final InstantSource clock = InstantSource.system();
  private final StubPrometheus prometheus;
  private final Map<String, Pod> present = new ConcurrentHashMap<>();
  private final Map<String, PlayedWork> works = new ConcurrentHashMap<>();
  private final Map<String, Instant> deletedByPlay = new ConcurrentHashMap<>();
  private final Map<String, Eviction> evictions = new ConcurrentHashMap<>();
  private final List<Instant> departures = new CopyOnWriteArrayList<>();

  /**
   * What a running pod does.
   *
   * @param since when it began to do it
   * @param before when it began to do what it did before
   */
  private record PlayedWork(int number, boolean active, Instant since, Instant before) {
    boolean takesTurns() {
      return number % 10 >= 8;
    }

    boolean isOver(Instant now) {
      return takesTurns()
          ? !now.isBefore(since.plus(TURN).plusMillis(number % 1_000L * 10))
          : active && number % 10 >= 6;
    }
  }

  /**
   * A pod that was deleted by others than the play.
   *
   * @param idleFor how long it had been idle; empty if it worked
   */
  record Eviction(String pod, Instant at, Optional<Duration> idleFor) {}

  PlayedPods(StubPrometheus prometheus) {
    this.prometheus = prometheus;
  }

  @Override
  public void onAdd(Pod pod) {
    present.put(pod.getMetadata().getName(), pod);
    observe(pod);
  }

  @Override
  public void onUpdate(Pod before, Pod pod) {
    onAdd(pod);
  }

  @Override
  public void onDelete(Pod pod, boolean unknown) {
    observeDeletion(pod);
    present.remove(pod.getMetadata().getName());
    works.remove(pod.getMetadata().getName());
    prometheus.forgets(pod);
    departures.add(clock.instant());
  }

  private void observe(Pod pod) {
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      observeDeletion(pod);
    } else if ("Running".equals(pod.getStatus().getPhase())) {
      works.computeIfAbsent(
          pod.getMetadata().getName(),
          name -> {
            prometheus.showsBusy(pod);
            Instant now = clock.instant();
            return new PlayedWork(Math.abs(name.hashCode() % 10_000), true, now, now);
          });
    }
  }

  private void observeDeletion(Pod pod) {
    String name = pod.getMetadata().getName();
    Instant now = clock.instant();
    if (!deletedByPlay.containsKey(name)) {
      evictions.computeIfAbsent(
          name, _ -> new Eviction(name, now, idleFor(Optional.ofNullable(works.get(name)), now)));
    }
  }

  private static Optional<Duration> idleFor(Optional<PlayedWork> work, Instant now) {
    return work.filter(known -> !(known.active() && known.since().isBefore(now.minus(DELIVERY))))
        .map(known -> Duration.between(known.active() ? known.before() : known.since(), now));
  }

  /** Lets pods stop and begin to work whose time has come. */
  void step() {
    Instant now = clock.instant();
    works.forEach(
        (name, work) -> {
          Pod pod = present.get(name);
          if (pod != null && work.isOver(now) && !name.startsWith("gang")) {
            works.computeIfPresent(
                name,
                (_, before) ->
                    new PlayedWork(before.number(), !before.active(), now, before.since()));
            if (work.active()) {
              prometheus.showsIdleFromNowOn(pod);
            } else {
              prometheus.showsBusy(pod);
            }
          }
        });
  }

  /** The play is about to delete the pod. */
  void deletes(String name) {
    deletedByPlay.put(name, clock.instant());
  }

  Optional<Pod> find(String name) {
    return Optional.ofNullable(present.get(name));
  }

  List<Pod> all() {
    return List.copyOf(present.values());
  }

  List<Eviction> evictions() {
    return List.copyOf(evictions.values());
  }

  boolean hasDeparturesSince(Instant from) {
    return departures.stream().anyMatch(at -> !at.isBefore(from));
  }
}
