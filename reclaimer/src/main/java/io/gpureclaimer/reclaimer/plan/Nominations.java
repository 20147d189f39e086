package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.PlanHistory.FollowUp;
import io.gpureclaimer.reclaimer.plan.Step.Beneficiary;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pending pods for which workloads were reclaimed, and which are not yet bound. No other workload
 * is reclaimed for the same pod while its victims terminate, and for a while after.
 *
 * @param all in the order of the actions, one for each pending pod
 */
record Nominations(List<Nomination> all) {
  static final Nominations NONE = new Nominations(List.of());

  Nominations {
    all = List.copyOf(all);
  }

  /**
   * Devices that are promised to a pending pod.
   *
   * @param demand the pending pod
   * @param node where the devices are
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

    Nomination and(Set<String> others, Instant now) {
      var more = new HashSet<>(victims);
      more.addAll(others);
      return new Nomination(demand, node, more, now);
    }

    Nomination seen(Map<String, PodView> found, Instant now) {
      boolean terminating =
          victims.stream()
              .map(found::get)
              .anyMatch(victim -> victim != null && victim.terminating());
      return terminating ? new Nomination(demand, node, victims, now) : this;
    }

    boolean isOver(Duration patience, Instant now) {
      return now.isAfter(alive.plus(patience));
    }
  }

  /** The same after a workload was reclaimed for a pending pod. */
  Nominations after(Workload victim, Beneficiary beneficiary, Instant now) {
    return switch (beneficiary) {
      case Beneficiary.PendingPod pending -> after(victim, pending, now);
      case Beneficiary.KeepFree _ -> this;
    };
  }

  private Nominations after(Workload victim, Beneficiary.PendingPod pending, Instant now) {
    String waiting = pending.demand().pod().uid();
    Set<String> pods =
        victim.pods().stream().map(pod -> pod.ref().uid()).collect(Collectors.toSet());
    Optional<Nomination> known =
        all.stream().filter(each -> each.uid().equals(waiting)).findFirst();
    Stream<Nomination> others = all.stream().filter(each -> !known.equals(Optional.of(each)));
    Nomination one =
        known
            .map(nomination -> nomination.and(pods, now))
            .orElseGet(() -> new Nomination(pending.demand(), pending.node(), pods, now));
    return new Nominations(Stream.concat(others, Stream.of(one)).toList());
  }

  /** Where devices are promised, by pending pod. */
  Map<PodRef, String> nodes() {
    var nodes = new HashMap<PodRef, String>();
    all.forEach(nomination -> nodes.put(nomination.demand().pod(), nomination.node()));
    return nodes;
  }

  /** UIDs of the pods for which a workload was reclaimed already. */
  Set<String> waiting() {
    var uids = new HashSet<String>();
    all.forEach(nomination -> uids.add(nomination.uid()));
    return uids;
  }

  /** Pods that have a node now; see {@link #after(Map, Duration, Instant)}. */
  List<FollowUp.PodBound> bound(Map<String, PodView> found, Instant now) {
    var bound = new ArrayList<FollowUp.PodBound>();
    for (Nomination nomination : all) {
      PodView pod = found.get(nomination.uid());
      if (pod != null && pod.node().isPresent()) {
        Duration waited = Duration.between(nomination.demand().since(), now);
        bound.add(new FollowUp.PodBound(pod.ref(), waited));
      }
    }
    return bound;
  }

  /** Pods that no longer wait for their devices, or did for too long. */
  List<FollowUp> inVain(Map<String, PodView> found, Duration patience, Instant now) {
    var inVain = new ArrayList<FollowUp>();
    for (Nomination nomination : all) {
      PodView pod = found.get(nomination.uid());
      if (pod == null || (pod.terminating() && pod.node().isEmpty())) {
        inVain.add(new FollowUp.PodGone(nomination.demand().pod(), nomination.node()));
      } else if (stillWaits(pod) && nomination.seen(found, now).isOver(patience, now)) {
        inVain.add(new FollowUp.NotScheduled(pod.ref(), nomination.node()));
      }
    }
    return inVain;
  }

  /** The same without pods that are bound, gone, or have been pending for too long. */
  Nominations after(Map<String, PodView> found, Duration patience, Instant now) {
    return new Nominations(
        all.stream()
            .map(nomination -> nomination.seen(found, now))
            .filter(nomination -> stillWaits(found.get(nomination.uid())))
            .filter(nomination -> !nomination.isOver(patience, now))
            .toList());
  }

  /**
   * Pods that are still pending although their victims are gone, because other pods took the
   * devices. Asked of the nominations that remain, so that workloads can be reclaimed for them
   * again.
   */
  List<FollowUp.TakenByOthers> taken(Map<String, PodView> found, ClusterView cluster) {
    var taken = new ArrayList<FollowUp.TakenByOthers>();
    for (Nomination nomination : all) {
      boolean gone = nomination.victims().stream().noneMatch(found::containsKey);
      if (gone && isTaken(nomination.demand(), nomination.node(), cluster)) {
        taken.add(new FollowUp.TakenByOthers(nomination.demand().pod(), nomination.node()));
      }
    }
    return taken;
  }

  /** The same without these. */
  Nominations without(List<FollowUp.TakenByOthers> taken) {
    Set<String> uids = taken.stream().map(each -> each.pod().uid()).collect(Collectors.toSet());
    return new Nominations(
        all.stream().filter(nomination -> !uids.contains(nomination.uid())).toList());
  }

  private static boolean isTaken(Demand demand, String node, ClusterView cluster) {
    return demand.devices().entrySet().stream()
        .anyMatch(
            each ->
                freeOn(node, each.getKey(), cluster)
                    .filter(free -> free < each.getValue())
                    .isPresent());
  }

  /** Empty while the node is not known, or does not offer the resource, which says nothing. */
  private static Optional<Integer> freeOn(String node, String resource, ClusterView cluster) {
    int held =
        cluster.pods().stream()
            .filter(pod -> pod.holdsGpus() && pod.node().equals(Optional.of(node)))
            .mapToInt(pod -> pod.accelerators().count(resource))
            .sum();
    return cluster.nodes().stream()
        .filter(view -> view.name().equals(node) && view.devices().containsKey(resource))
        .map(view -> view.devices().get(resource) - held)
        .findFirst();
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
