package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whose pods were evicted lately, by namespace and name. A name that comes back within the hour is
 * contested: it is left alone for an hour, and twice as long each time, up to a day. A name stands
 * for the owner, as long as only pods are evicted that nobody owns.
 */
record EvictedNames(Map<Name, Trace> traces) {
  static final EvictedNames NONE = new EvictedNames(Map.of());

  private static final Duration REGRETTED_WITHIN = Duration.ofHours(1);
  private static final Duration FIRST_COOL_DOWN = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  EvictedNames {
    traces = Map.copyOf(traces);
  }

  /** What stays the same when a pod is created again. */
  record Name(String namespace, String name) {
    static Name of(PodRef pod) {
      return new Name(pod.namespace(), pod.name());
    }
  }

  /**
   * What happened to a name.
   *
   * @param uid the pod that was evicted
   * @param evictions when this name was evicted, of the last day, oldest first; never none
   * @param regrets how often the name came back
   * @param regretted whether it came back after this eviction
   * @param coolUntil until when it is left alone
   */
  record Trace(
      String uid, List<Instant> evictions, int regrets, boolean regretted, Instant coolUntil) {
    Trace {
      evictions = List.copyOf(evictions);
    }

    /** After one more. */
    static Trace evicted(String uid, Optional<Trace> before, Instant now) {
      Stream<Instant> earlier = before.stream().flatMap(trace -> trace.lately(now));
      return new Trace(
          uid,
          Stream.concat(earlier, Stream.of(now)).toList(),
          before.map(Trace::regrets).orElse(0),
          false,
          now);
    }

    private Instant at() {
      return evictions.getLast();
    }

    Stream<Instant> lately(Instant now) {
      return evictions.stream().filter(at -> now.isBefore(at.plus(DAY)));
    }

    boolean mayBeRegretted(PodView pod, Instant now) {
      return !regretted
          && !uid.equals(pod.ref().uid())
          && !pod.terminating()
          && !now.isAfter(at().plus(REGRETTED_WITHIN));
    }

    boolean matters(Instant now) {
      return now.isBefore(at().plus(DAY)) || now.isBefore(coolUntil.plus(DAY));
    }

    Duration nextCoolDown() {
      Duration longer = FIRST_COOL_DOWN.multipliedBy(1L << Math.min(regrets, 10));
      return longer.compareTo(DAY) < 0 ? longer : DAY;
    }

    Trace contested(Instant now) {
      return new Trace(uid, evictions, regrets + 1, true, now.plus(nextCoolDown()));
    }
  }

  /** The same after one more eviction. */
  EvictedNames after(PodRef evicted, Instant now) {
    var next = new HashMap<>(traces);
    next.put(Name.of(evicted), Trace.evicted(evicted.uid(), trace(evicted), now));
    return new EvictedNames(next);
  }

  /** Whether a pod of this name is left alone. */
  boolean cools(PodRef pod, Instant now) {
    return trace(pod).filter(trace -> now.isBefore(trace.coolUntil())).isPresent();
  }

  /** How often pods of this name were evicted in the last day. */
  long inLastDay(PodRef pod, Instant now) {
    return trace(pod).stream().flatMap(trace -> trace.lately(now)).count();
  }

  private Optional<Trace> trace(PodRef pod) {
    return Optional.ofNullable(traces.get(Name.of(pod)));
  }

  /** Who has come back among these pods; see {@link #after(List, Instant)}. */
  List<Aftermath.Regretted> comebacks(List<PodView> pods, Instant now) {
    var found = new ArrayList<Aftermath.Regretted>();
    if (traces.isEmpty()) {
      return found;
    }
    for (PodView pod : pods) {
      Trace trace = traces.get(Name.of(pod.ref()));
      if (trace != null && trace.mayBeRegretted(pod, now)) {
        found.add(new Aftermath.Regretted(pod.ref(), trace.regrets() + 1, trace.nextCoolDown()));
      }
    }
    return found;
  }

  /** The same, knowing who has come back, and without what no longer matters. */
  EvictedNames after(List<Aftermath.Regretted> comebacks, Instant now) {
    var next = new HashMap<>(traces);
    comebacks.forEach(
        each -> next.computeIfPresent(Name.of(each.pod()), (_, trace) -> trace.contested(now)));
    next.values().removeIf(trace -> !trace.matters(now));
    return new EvictedNames(next);
  }
}
