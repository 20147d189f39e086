package io.gpureclaimer.reclaimer.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pods of all kinds and nodes of all kinds, as far as pending pods depend on them.
 *
 * @param placed pods with a node that are neither finished nor terminating
 * @param pending pods without a node that request accelerators, by UID
 * @param nodes all nodes
 * @param requested what pods without accelerators request, by node and resource, in thousandths
 */
public record Neighbors(
    List<Neighbor> placed,
    Map<String, Neighbor> pending,
    List<NodeView> nodes,
    Map<String, Map<String, Long>> requested) {

  /** Nothing is known of other pods. */
  public static final Neighbors NONE = new Neighbors(List.of(), Map.of(), List.of(), Map.of());

  public Neighbors {
    placed = List.copyOf(placed);
    pending = Map.copyOf(pending);
    nodes = List.copyOf(nodes);
    requested = Map.copyOf(requested);
  }

  /** Sorts pods into those with and without a node. */
  public static Neighbors of(
      List<Neighbor> pods, List<NodeView> nodes, Map<String, Map<String, Long>> requested) {
    Map<String, Neighbor> pending = new HashMap<>();
    pods.stream().filter(pod -> pod.node().isEmpty()).forEach(pod -> pending.put(pod.uid(), pod));
    return new Neighbors(
        pods.stream().filter(pod -> pod.node().isPresent()).toList(), pending, nodes, requested);
  }

  /**
   * A pod, as its neighbors see it.
   *
   * @param labels all of its labels
   */
  public record Neighbor(
      String uid,
      String namespace,
      Map<String, String> labels,
      Optional<String> node,
      PodRules rules) {

    /** The same on a node. */
    public Neighbor on(String name) {
      return new Neighbor(uid, namespace, labels, Optional.of(name), rules);
    }
  }
}
