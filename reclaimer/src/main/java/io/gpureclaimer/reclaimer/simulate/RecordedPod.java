package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A pod of a cluster's past while its records are read. Confined to one thread at a time. */
final class RecordedPod {
  private static final Duration LOOK_BACK = Duration.ofMinutes(7);
  private static final int CHECKPOINT = 30 * ActivityGenerator.MINUTE;

  private Optional<PodName> name = Optional.empty();
  private int gpus;
  private Optional<Instant> created = Optional.empty();
  private Optional<Instant> scheduled = Optional.empty();
  private Optional<Instant> firstSeen = Optional.empty();
  private Optional<Instant> firstRunning = Optional.empty();
  private Optional<Instant> lastSeen = Optional.empty();
  private Optional<Instant> lastRunning = Optional.empty();
  private String owner = "";
  private String priorityClass = "";

  /** Until when each device was observed. */
  private final Map<Entity, Instant> observedUntil = new HashMap<>();

  private final Set<Entity> used = new HashSet<>();
  private final TimeSpans active = new TimeSpans();
  private final TimeSpans unknown = new TimeSpans();

  void requested(PodName named, int count) {
    name = Optional.of(named);
    gpus = Math.max(gpus, count);
  }

  void present(boolean isRunning, Instant at) {
    firstSeen = earlier(firstSeen, at);
    lastSeen = later(lastSeen, at);
    if (isRunning) {
      firstRunning = earlier(firstRunning, at);
      lastRunning = later(lastRunning, at);
    }
  }

  private static Optional<Instant> earlier(Optional<Instant> known, Instant at) {
    return Optional.of(known.filter(at::isAfter).orElse(at));
  }

  private static Optional<Instant> later(Optional<Instant> known, Instant at) {
    return Optional.of(known.filter(at::isBefore).orElse(at));
  }

  void created(Instant at) {
    created = Optional.of(at);
  }

  void scheduled(Instant at) {
    scheduled = Optional.of(at);
  }

  void owned(String kind, String itsPriorityClass) {
    owner = kind;
    priorityClass = itsPriorityClass;
  }

  int gpus() {
    return gpus;
  }

  Optional<String> priorityClass() {
    return Optional.of(priorityClass).filter(text -> !text.isEmpty());
  }

  /** Whether there is enough to place it. */
  boolean isComplete() {
    return name.isPresent() && firstSeen.isPresent();
  }

  /** Whether it never got its GPUs. */
  boolean isNeverBound() {
    return firstRunning.isEmpty() && scheduled.isEmpty();
  }

  /** When it got its GPUs. */
  private Optional<Instant> start() {
    return scheduled.or(() -> firstRunning);
  }

  /** As it was at a look; empty if it did not hold GPUs then. */
  Optional<PodIdentity> identityAt(String uid, Instant at) {
    return start()
        .filter(from -> gpus > 0 && !from.isAfter(at))
        .filter(_ -> lastSeen.filter(last -> !last.isBefore(at)).isPresent())
        .flatMap(from -> name.map(its -> new PodIdentity(uid, its, Optional.of(from))));
  }

  /**
   * Evidence of one look. What a device did since the look before counts as active up to its last
   * activity; what was not observed without a gap is unknown.
   */
  void observed(PodActivity activity) {
    Instant began = start().orElseThrow();
    for (DeviceActivity device : activity.devices()) {
      Instant known = Optional.ofNullable(observedUntil.get(device.device())).orElse(began);
      Instant since = later(Optional.of(known), device.observedSince()).orElseThrow();
      if (since.isAfter(known)) {
        unknown.add(known, since);
      }
      device
          .lastActive()
          .filter(since::isBefore)
          .ifPresent(
              last -> {
                active.add(since, last);
                used.add(device.device());
              });
      observedUntil.put(
          device.device(), later(Optional.of(since), device.observedUntil()).orElseThrow());
    }
  }

  /** The workload in the time of a trace. */
  TracedWorkload workload(TimeRange range, Map<String, Integer> priorities, Set<String> names) {
    Instant end = end(range);
    Instant from = range.from();
    Instant arrival =
        later(Optional.of(from), created.or(() -> firstSeen).orElseThrow()).orElseThrow();
    WorkloadKind kind = kind();
    Instant began = start().map(at -> at.isAfter(arrival) ? at : arrival).orElse(arrival);
    Instant origin = kind == WorkloadKind.TRAINING ? began : arrival;
    int lifetime = Math.max(1, seconds(origin, end));
    finish(began, end);
    ActivityPeriods activity = active.within(origin, lifetime);
    PodName its = name.orElseThrow();
    return new TracedWorkload(
        its.namespace(),
        unique(its, names),
        kind,
        seconds(from, arrival),
        lifetime,
        List.of(gpus),
        used.isEmpty() ? gpus : Math.min(gpus, used.size()),
        Set.of(),
        priorities.getOrDefault(priorityClass, 0),
        CHECKPOINT,
        activity,
        unknown.without(active).within(origin, lifetime),
        ComputeResources.NONE);
  }

  /** What was never observed, and what came after the last observation, is unknown. */
  private void finish(Instant began, Instant end) {
    if (observedUntil.size() < gpus) {
      unknown.add(began, end);
    }
    observedUntil.values().stream().filter(end::isAfter).forEach(until -> unknown.add(until, end));
  }

  /**
   * Its end. Prometheus shows a series for up to five minutes after its last sample, so that a pod
   * was there until its last observation if that is not much earlier.
   */
  private Instant end(TimeRange range) {
    if (isNeverBound()) {
      return range.at(range.steps());
    }
    Instant last = lastSeen.orElseThrow();
    return observedUntil.values().stream()
        .max(Comparator.naturalOrder())
        .filter(until -> until.isBefore(last) && !until.isBefore(last.minus(LOOK_BACK)))
        .orElse(last);
  }

  private WorkloadKind kind() {
    return switch (owner) {
      case "ReplicaSet" -> WorkloadKind.SERVICE;
      case "StatefulSet", "<none>", "" -> WorkloadKind.NOTEBOOK;
      default -> WorkloadKind.TRAINING;
    };
  }

  private static String unique(PodName name, Set<String> names) {
    String unique = name.name();
    for (int run = 2; !names.add(name.namespace() + "/" + unique); run++) {
      unique = name.name() + "-run-" + run;
    }
    return unique;
  }

  private static int seconds(Instant from, Instant to) {
    return Math.toIntExact(Duration.between(from, to).toSeconds());
  }
}
