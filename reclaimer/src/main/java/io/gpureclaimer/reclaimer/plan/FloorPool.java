package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Placement.NodeTerm;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import io.gpureclaimer.reclaimer.plan.Demand.Target;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Nodes whose whole GPUs count for a floor.
 *
 * @param nodes by name; also those that accept no pods now
 * @param doubtful nodes whose free GPUs may count, and are not known to: they have no label of the
 *     model, or are not ready
 */
record FloorPool(Map<String, NodeView> nodes, List<NodeView> doubtful) {

  /** Taints of nodes that are about to be removed. */
  private static final Set<String> LEAVING =
      Set.of(
          "ToBeDeletedByClusterAutoscaler",
          "karpenter.sh/disrupted",
          "karpenter.sh/disruption",
          "node.kubernetes.io/out-of-service");

  static FloorPool of(FreeGpuFloor floor, ClusterView cluster) {
    List<NodeView> withGpus = cluster.nodes().stream().filter(node -> node.gpus() > 0).toList();
    Map<String, NodeView> nodes =
        withGpus.stream()
            .filter(node -> product(node).filter(floor::includes).isPresent())
            .collect(Collectors.toMap(NodeView::name, node -> node, (one, _) -> one));
    var doubtful = new ArrayList<NodeView>();
    for (NodeView node : withGpus) {
      boolean isOpen = node.accepting() && !isLeaving(node);
      if ((nodes.containsKey(node.name()) && node.unready())
          || (product(node).isEmpty() && (isOpen || node.unready()))) {
        doubtful.add(node);
      }
    }
    return new FloorPool(nodes, doubtful);
  }

  /** Whether a pod of the workload holds GPUs of these nodes. */
  boolean holds(Workload workload) {
    return workload.pods().stream()
        .filter(pod -> pod.gpus() > 0)
        .flatMap(pod -> pod.node().stream())
        .anyMatch(nodes::containsKey);
  }

  /**
   * Where the next pod is expected to run. Pods tolerate the taints of the pool, because otherwise
   * none could use it; nodes that are about to be removed do not count.
   */
  Target target() {
    Set<String> products =
        nodes.values().stream().flatMap(node -> product(node).stream()).collect(Collectors.toSet());
    List<Toleration> tolerations =
        nodes.values().stream()
            .flatMap(node -> node.taints().stream())
            .filter(taint -> !LEAVING.contains(taint.key()))
            .distinct()
            .map(taint -> new Toleration(taint.key(), false, taint.value(), taint.effect()))
            .toList();
    var ofModel =
        new NodeTerm(List.of(new LabelRequirement(NodeView.PRODUCT, "In", products)), List.of());
    return new Target(
        ResourceNames.GPU,
        new Placement(Map.of(), tolerations, Optional.of(List.of(ofModel)), false),
        true);
  }

  private static Optional<String> product(NodeView node) {
    return Optional.ofNullable(node.labels().get(NodeView.PRODUCT))
        .filter(label -> !label.isEmpty());
  }

  private static boolean isLeaving(NodeView node) {
    return node.taints().stream().map(Taint::key).anyMatch(LEAVING::contains);
  }
}
