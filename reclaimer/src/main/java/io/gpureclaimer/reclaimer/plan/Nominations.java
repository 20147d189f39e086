package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * For whom somebody was evicted, and is not yet bound. Nobody else is evicted for the same pod
 * while its victims terminate, and for a while after.
 *
 * @param all in the order of the evictions, one for each waiting pod
 */
record Nominations(List<Nomination> all) {
  static final Nominations NONE = new Nominations(List.of());

  Nominations {
    all = List.copyOf(all);
  }

  /**
   * GPUs that are promised to a waiting pod.
   *
   * @param demand who waits
   * @param node where the GPUs are
   * @param victims the UIDs of the pods that had them
   * @param alive when the last of the victims was last seen terminating, or evicted
   */
  record Nomination(Demand demand, String node, Set<String> victims, Instant alive) {
    Nomination {
      victims = Set.copyOf(victims);
    }

    String uid() {
      return demand.pod().uid();
    }

    Nomination and(String victim, Instant now) {
      var more = new HashSet<>(victims);
      more.add(victim);
      return new Nomination(demand, node, more, now);
    }

    Nomination seen(Map<String, PodView> found, Instant now) {
      boolean terminating =
          victims.stream()
              .map(found::get)
              .anyMatch(victim -> victim != null && victim.terminating());
      return terminating ? new Nomination(demand, node, victims, now) : this;
    }
  }

  /** The same after a pod was evicted for somebody. */
  Nominations after(PodRef victim, String node, Demand demand, Instant now) {
    Optional<Nomination> known =
        all.stream().filter(each -> each.uid().equals(demand.pod().uid())).findFirst();
    Stream<Nomination> others = all.stream().filter(each -> !known.equals(Optional.of(each)));
    Nomination one =
        known
            .map(nomination -> nomination.and(victim.uid(), now))
            .orElseGet(() -> new Nomination(demand, node, Set.of(victim.uid()), now));
    return new Nominations(Stream.concat(others, Stream.of(one)).toList());
  }

  /** Whether somebody was evicted for this pod already. */
  Set<String> waiting() {
    var uids = new HashSet<String>();
    all.forEach(nomination -> uids.add(nomination.uid()));
    return uids;
  }

  /** Who has a node now; see {@link #after(Map, Duration, Instant)}. */
  List<Aftermath.Unblocked> bound(Map<String, PodView> found, Instant now) {
    var bound = new ArrayList<Aftermath.Unblocked>();
    for (Nomination nomination : all) {
      PodView pod = found.get(nomination.uid());
      if (pod != null && pod.node().isPresent()) {
        Duration waited = Duration.between(nomination.demand().since(), now);
        bound.add(new Aftermath.Unblocked(pod.ref(), waited));
      }
    }
    return bound;
  }

  /** The same without who is bound, gone, or has waited for too long. */
  Nominations after(Map<String, PodView> found, Duration patience, Instant now) {
    return new Nominations(
        all.stream()
            .map(nomination -> nomination.seen(found, now))
            .filter(nomination -> stillWaits(found.get(nomination.uid())))
            .filter(nomination -> !now.isAfter(nomination.alive().plus(patience)))
            .toList());
  }

  /** Those of the pods that matter here, by UID. */
  Map<String, PodView> among(List<PodView> pods) {
    var found = new HashMap<String, PodView>();
    if (all.isEmpty()) {
      return found;
    }
    var wanted = new HashSet<String>();
    all.forEach(
        nomination -> {
          wanted.add(nomination.uid());
          wanted.addAll(nomination.victims());
        });
    pods.stream()
        .filter(pod -> wanted.contains(pod.ref().uid()))
        .forEach(pod -> found.put(pod.ref().uid(), pod));
    return found;
  }

  private static boolean stillWaits(@Nullable PodView pod) {
    return pod != null && pod.node().isEmpty() && !pod.terminating();
  }
}
