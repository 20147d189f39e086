package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Assignment of NodeClaims to the pending pods that they may be for, which Karpenter does not
 * record. Confined to one view.
 *
 * <p>A NodeClaim is assigned to as many pods as it has devices for.
 */
public final class NodeClaimAssignment {
  /** Devices that are not assigned yet, by resource. */
  private final IdentityHashMap<NodeClaim, Map<String, Integer>> free = new IdentityHashMap<>();

  private NodeClaimAssignment(Collection<NodeClaim> claims, Collection<PodView> pods) {
    Map<String, Map<String, Integer>> byNode = new HashMap<>();
    for (NodeClaim claim : claims) {
      Map<String, Integer> devices = new HashMap<>(claim.node().devices());
      free.put(claim, devices);
      byNode.put(claim.node().name(), devices);
    }
    for (PodView pod : pods) {
      if (pod.holdsGpus() && byNode.containsKey(pod.node().orElseThrow())) {
        take(pod, byNode.get(pod.node().orElseThrow()));
      }
    }
  }

  /**
   * The NodeClaim of each pending pod that has one. Pods that Karpenter has nominated come first,
   * and those last that it cannot serve, or for which a scheduler expects another node. Among them,
   * the highest priority comes first, then the oldest.
   *
   * @param pods all of them, because some may already have got the devices of a NodeClaim
   * @param announced by Events
   */
  public static Map<PodRef, NodeClaim> of(
      Collection<NodeClaim> claims,
      Collection<PodView> pods,
      Map<PodRef, List<ProvisioningNotice>> announced) {
    Map<PodRef, NodeClaim> found = new HashMap<>();
    if (!claims.isEmpty()) {
      var assignment = new NodeClaimAssignment(claims, pods);
      for (PodView pod : pending(pods, announced)) {
        assignment.assign(pod).ifPresent(claim -> found.put(pod.ref(), claim));
      }
    }
    return Map.copyOf(found);
  }

  private static List<PodView> pending(
      Collection<PodView> pods, Map<PodRef, List<ProvisioningNotice>> announced) {
    return pods.stream()
        .filter(pod -> pod.awaitsGpus() && pod.waiting().isPresent() && !pod.terminating())
        .sorted(
            Comparator.<PodView>comparingInt(
                    pod -> rank(pod, announced.getOrDefault(pod.ref(), List.of())))
                .thenComparing(Comparator.comparingInt(PodView::priority).reversed())
                .thenComparing(NodeClaimAssignment::since)
                .thenComparing(pod -> pod.ref().uid()))
        .toList();
  }

  private static int rank(PodView pod, List<ProvisioningNotice> announced) {
    boolean isExpected =
        pod.waiting()
            .filter(
                waiting ->
                    waiting.nominatedNode().isPresent() || waiting.ownNominatedNode().isPresent())
            .isPresent();
    return isExpected
        ? 2
        : announced.stream()
            .filter(notice -> notice.component().equals(ProvisioningNotice.KARPENTER))
            .max(
                Comparator.comparing(ProvisioningNotice::last)
                    .thenComparing(ProvisioningNotice::provides))
            .map(newest -> newest.provides() ? 0 : 2)
            .orElse(1);
  }

  private static Instant since(PodView pod) {
    return pod.waiting().map(Waiting::since).orElseThrow();
  }

  /** The one with the fewest devices left, so that large pods find room in the others. */
  private Optional<NodeClaim> assign(PodView pod) {
    Map<String, Integer> requested = pod.accelerators().byResource();
    if (requested.isEmpty()) {
      return Optional.empty();
    }
    Optional<NodeClaim> assigned =
        free.keySet().stream()
            .filter(claim -> hasRoom(requested, free.get(claim)) && claim.suits(pod))
            .min(
                Comparator.<NodeClaim>comparingInt(this::left)
                    .thenComparing(NodeClaim::created)
                    .thenComparing(claim -> claim.node().name()));
    assigned.ifPresent(claim -> take(pod, free.get(claim)));
    return assigned;
  }

  private static boolean hasRoom(Map<String, Integer> requested, Map<String, Integer> devices) {
    return requested.entrySet().stream()
        .allMatch(each -> each.getValue() <= devices.getOrDefault(each.getKey(), 0));
  }

  private int left(NodeClaim claim) {
    return free.get(claim).values().stream().mapToInt(Integer::intValue).sum();
  }

  private static void take(PodView pod, Map<String, Integer> devices) {
    pod.accelerators()
        .byResource()
        .forEach(
            (resource, count) ->
                devices.computeIfPresent(resource, (_, left) -> Math.max(0, left - count)));
  }
}
