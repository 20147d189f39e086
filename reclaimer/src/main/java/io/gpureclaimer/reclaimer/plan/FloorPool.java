package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Placement.NodeTerm;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Demand.Target;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Nodes whose devices count for a floor.
 *
 * @param nodes by name; also those that accept no pods now
 * @param doubtful nodes whose free devices may count, and are not known to: they have no label of
 *     the model, or are not ready
 * @param usual the pod that is expected next
 */
record FloorPool(
    FreeGpuFloor floor, Map<String, NodeView> nodes, List<NodeView> doubtful, UsualPod usual) {

  /** Taints of nodes that are about to be removed. */
  private static final Set<String> LEAVING =
      Set.of(
          "ToBeDeletedByClusterAutoscaler",
          "karpenter.sh/disrupted",
          "karpenter.sh/disruption",
          "node.kubernetes.io/out-of-service");

  static FloorPool of(FreeGpuFloor floor, ClusterView cluster) {
    List<NodeView> offering = cluster.nodes().stream().filter(node -> offers(node, floor)).toList();
    Map<String, NodeView> nodes =
        offering.stream()
            .filter(node -> product(node).filter(floor::includes).isPresent())
            .collect(Collectors.toMap(NodeView::name, node -> node, (one, _) -> one));
    var doubtful = new ArrayList<NodeView>();
    for (NodeView node : offering) {
      boolean isOpen = node.accepting() && !isLeaving(node);
      if ((nodes.containsKey(node.name()) && node.unready())
          || (product(node).isEmpty() && (isOpen || node.unready()))) {
        doubtful.add(node);
      }
    }
    return new FloorPool(floor, nodes, doubtful, usual(floor, cluster, nodes));
  }

  private static boolean offers(NodeView node, FreeGpuFloor floor) {
    return floor.isOfWholeGpus()
        ? node.gpus() > 0
        : node.devices().getOrDefault(floor.resource(), 0) > 0;
  }

  /** Of the pods that request one block, and run on these nodes or may. */
  private static UsualPod usual(
      FreeGpuFloor floor, ClusterView cluster, Map<String, NodeView> nodes) {
    Set<String> products = products(nodes);
    return UsualPod.of(
        cluster.pods().stream()
            .filter(pod -> pod.accelerators().count(floor.resource()) == floor.devices())
            .filter(
                pod ->
                    pod.holdsGpus()
                        ? pod.node().filter(nodes::containsKey).isPresent()
                        : pod.awaitsGpus() && !pod.terminating() && mayRunOn(products, pod))
            .map(PodView::requests)
            .toList());
  }

  /** By the selector of the model; without one, on any. */
  private static boolean mayRunOn(Set<String> products, PodView pod) {
    String product = pod.placement().nodeSelector().get(NodeView.PRODUCT);
    return product == null || products.contains(product);
  }

  /** Whether a pod of the workload holds devices of these nodes. */
  boolean holds(Workload workload) {
    return workload.pods().stream()
        .filter(pod -> pod.accelerators().count(floor.resource()) > 0)
        .flatMap(pod -> pod.node().stream())
        .anyMatch(nodes::containsKey);
  }

  /**
   * Where the next pod is expected to run. Pods tolerate the taints of the pool, because otherwise
   * none could use it; nodes that are about to be removed do not count.
   */
  Target target() {
    List<Toleration> tolerations =
        nodes.values().stream()
            .flatMap(node -> node.taints().stream())
            .filter(taint -> !LEAVING.contains(taint.key()))
            .distinct()
            .map(taint -> new Toleration(taint.key(), false, taint.value(), taint.effect()))
            .toList();
    var ofModel =
        new NodeTerm(
            List.of(new LabelRequirement(NodeView.PRODUCT, "In", products(nodes))), List.of());
    return new Target(
        Set.of(floor.resource()),
        new Placement(Map.of(), tolerations, Optional.of(List.of(ofModel)), false),
        floor.isOfWholeGpus() ? Set.of(floor.resource()) : Set.of());
  }

  private static Set<String> products(Map<String, NodeView> nodes) {
    return nodes.values().stream()
        .flatMap(node -> product(node).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<String> product(NodeView node) {
    return Optional.ofNullable(node.labels().get(NodeView.PRODUCT))
        .filter(label -> !label.isEmpty());
  }

  private static boolean isLeaving(NodeView node) {
    return node.taints().stream().map(Taint::key).anyMatch(LEAVING::contains);
  }
}
