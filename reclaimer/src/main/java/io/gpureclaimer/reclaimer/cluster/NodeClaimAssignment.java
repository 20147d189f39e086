package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
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
  private final List<Unassigned> all;

  private NodeClaimAssignment(Collection<NodeClaim> claims, Collection<PodView> pods) {
    all = claims.stream().map(Unassigned::new).toList();
    Map<String, Unassigned> byNode = new HashMap<>();
    all.forEach(each -> byNode.put(each.claim.node().name(), each));
    for (PodView pod : pods) {
      if (pod.holdsGpus()) {
        pod.node().map(byNode::get).ifPresent(each -> each.take(pod));
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
    Optional<Unassigned> best =
        all.stream()
            .filter(each -> each.suffices(requested) && each.claim.suits(pod))
            .min(
                Comparator.comparingInt(Unassigned::left)
                    .thenComparing(each -> each.claim.created())
                    .thenComparing(each -> each.claim.node().name()));
    best.ifPresent(each -> each.take(pod));
    return best.map(each -> each.claim);
  }

  /** Devices of a NodeClaim that no pod has yet, by resource. */
  private static final class Unassigned {
    private final NodeClaim claim;
    private final Map<String, Integer> devices;

    private Unassigned(NodeClaim claim) {
      this.claim = claim;
      devices = new HashMap<>(claim.node().devices());
    }

    private boolean suffices(Map<String, Integer> requested) {
      return requested.entrySet().stream()
          .allMatch(each -> each.getValue() <= devices.getOrDefault(each.getKey(), 0));
    }

    private int left() {
      return devices.values().stream().mapToInt(Integer::intValue).sum();
    }

    private void take(PodView pod) {
      pod.accelerators()
          .byResource()
          .forEach(
              (resource, count) ->
                  devices.computeIfPresent(resource, (_, left) -> Math.max(0, left - count)));
    }
  }
}
