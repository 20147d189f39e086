package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes that Cluster Autoscaler adds for pending pods, where other pods may have room as well.
 * Cluster Autoscaler writes no Event about a pod that fits on a node which is still to come. Every
 * other pod gets one soon.
 *
 * @param newest by the name of a resource that the pod of the node requests
 * @param silent pending pods about which Cluster Autoscaler says nothing, although it considers
 *     them
 */
record AddedNodes(Map<String, AddedNode> newest, Set<PodRef> silent) {
  private static final AddedNodes NONE = new AddedNodes(Map.of(), Set.of());

  /** On pods that it considers later, or for which another object speaks. */
  private static final List<String> NOT_CONSIDERED =
      List.of(
          "cluster-autoscaler.kubernetes.io/pod-scale-up-delay",
          "autoscaling.x-k8s.io/consume-provisioning-request",
          "cluster-autoscaler.kubernetes.io/consume-provisioning-request");

  AddedNodes {
    newest = Map.copyOf(newest);
    silent = Set.copyOf(silent);
  }

  /**
   * A node for a pending pod.
   *
   * @param since when it was first announced
   */
  record AddedNode(PodRef pod, Instant since) {}

  static AddedNodes in(ClusterView cluster) {
    if (cluster.scheduling().announcements().isEmpty()) {
      return NONE;
    }
    Map<String, AddedNode> newest = new HashMap<>();
    Set<PodRef> silent = new HashSet<>();
    for (PodView pod : cluster.pods()) {
      if (pod.awaitsGpus()) {
        List<ProvisioningNotice> said =
            cluster.scheduling().of(pod.ref()).stream()
                .filter(each -> each.component().equals(ProvisioningNotice.CLUSTER_AUTOSCALER))
                .toList();
        OtherComponents.current(said)
            .map(notice -> new AddedNode(pod.ref(), notice.first()))
            .ifPresent(
                node ->
                    pod.accelerators()
                        .byResource()
                        .keySet()
                        .forEach(resource -> newest.merge(resource, node, AddedNodes::newer)));
        if (said.isEmpty() && NOT_CONSIDERED.stream().noneMatch(pod.annotations()::containsKey)) {
          silent.add(pod.ref());
        }
      }
    }
    return newest.isEmpty() ? NONE : new AddedNodes(newest, silent);
  }

  private static AddedNode newer(AddedNode one, AddedNode other) {
    return one.since().isBefore(other.since()) ? other : one;
  }

  /** The node for another pod that may have room for this one, which requests the same resource. */
  Optional<AddedNode> beside(Demand demand) {
    return silent.contains(demand.pod())
        ? demand.devices().keySet().stream()
            .flatMap(resource -> Optional.ofNullable(newest.get(resource)).stream())
            .reduce(AddedNodes::newer)
        : Optional.empty();
  }
}
