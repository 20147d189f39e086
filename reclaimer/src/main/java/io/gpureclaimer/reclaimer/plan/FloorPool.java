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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
    List<NodeView> offering =
        cluster.nodes().stream().filter(node -> node.count(floor.resource()) > 0).toList();
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

  /** Of the pods that request one block, and run on these nodes or may. */
  private static UsualPod usual(
      FreeGpuFloor floor, ClusterView cluster, Map<String, NodeView> nodes) {
    Map<String, Set<String>> products = new HashMap<>();
    byName(floor, nodes.values()).forEach((name, some) -> products.put(name, products(some)));
    return UsualPod.of(
        cluster.pods().stream()
            .filter(
                pod ->
                    pod.holdsGpus()
                        ? held(pod, floor, nodes) == floor.devices()
                        : pod.awaitsGpus() && !pod.terminating() && mayRun(pod, floor, products))
            .map(PodView::requests)
            .toList());
  }

  /** How many devices for the floor a pod holds on these nodes. */
  private static int held(PodView pod, FreeGpuFloor floor, Map<String, NodeView> nodes) {
    return pod.node()
        .map(nodes::get)
        .map(node -> pod.accelerators().count(node.nameOf(floor.resource())))
        .orElse(0);
  }

  /** By the name of the devices and the selector of the model; without one, on any. */
  private static boolean mayRun(
      PodView pod, FreeGpuFloor floor, Map<String, Set<String>> products) {
    String product = pod.placement().nodeSelector().get(NodeView.PRODUCT);
    return products.entrySet().stream()
        .anyMatch(
            each ->
                pod.accelerators().count(each.getKey()) == floor.devices()
                    && (product == null || each.getValue().contains(product)));
  }

  /** Nodes by the name under which they have the devices: some offer parts of GPUs as GPUs. */
  private static SortedMap<String, List<NodeView>> byName(
      FreeGpuFloor floor, Collection<NodeView> nodes) {
    SortedMap<String, List<NodeView>> byName = new TreeMap<>();
    for (NodeView node : nodes) {
      byName.computeIfAbsent(node.nameOf(floor.resource()), _ -> new ArrayList<>()).add(node);
    }
    return byName;
  }

  /** Whether a pod of the workload holds devices of these nodes. */
  boolean holds(Workload workload) {
    return workload.pods().stream().anyMatch(pod -> held(pod, floor, nodes) > 0);
  }

  /** Where the next pod is expected to run, for each name under which nodes have the devices. */
  List<Target> targets() {
    List<NodeView> all = new ArrayList<>(nodes.values());
    all.addAll(doubtful);
    return byName(floor, all).entrySet().stream()
        .map(
            each ->
                target(
                    each.getKey(),
                    each.getValue().stream()
                        .filter(node -> nodes.containsKey(node.name()))
                        .toList()))
        .toList();
  }

  /**
   * On some nodes. Pods tolerate the taints of the pool, because otherwise none could use it; nodes
   * that are about to be removed do not count. No single label says that a node offers parts of
   * GPUs as GPUs, so such nodes count by their names.
   */
  private Target target(String resource, List<NodeView> some) {
    List<Toleration> tolerations =
        nodes.values().stream()
            .flatMap(node -> node.taints().stream())
            .filter(taint -> !LEAVING.contains(taint.key()))
            .distinct()
            .map(taint -> new Toleration(taint.key(), false, taint.value(), taint.effect()))
            .toList();
    var term =
        resource.equals(floor.resource())
            ? new NodeTerm(
                List.of(new LabelRequirement(NodeView.PRODUCT, "In", products(some))), List.of())
            : new NodeTerm(
                List.of(),
                List.of(
                    new LabelRequirement(
                        NodeTerm.NAME,
                        "In",
                        some.stream().map(NodeView::name).collect(Collectors.toSet()))));
    return new Target(
        Set.of(resource),
        new Placement(Map.of(), tolerations, Optional.of(List.of(term)), false),
        floor.isOfWholeGpus() ? Set.of(resource) : Set.of(),
        false);
  }

  private static Set<String> products(Collection<NodeView> nodes) {
    return nodes.stream()
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
