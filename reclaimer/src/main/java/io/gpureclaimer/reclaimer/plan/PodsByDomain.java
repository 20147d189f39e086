package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.plan.SchedulingRules.Change;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Placed pods that a rule means, by the topology domains of their nodes. Confined to one planning.
 */
final class PodsByDomain {
  private final Predicate<Neighbor> isMeant;
  private final Map<String, NodeView> nodes;
  private final Set<String> uids = new HashSet<>();

  /** UIDs by topology key and domain. */
  private final Map<String, Map<String, Set<String>>> domains = new HashMap<>();

  private int followed;

  /**
   * Pods to begin with.
   *
   * @param isMeant which pods the rule means
   * @param keys the labels of nodes whose values are domains
   * @param nodes by name
   * @param followed how many changes the pods have seen
   */
  PodsByDomain(
      Predicate<Neighbor> isMeant,
      Collection<String> keys,
      Map<String, NodeView> nodes,
      Stream<Neighbor> pods,
      int followed) {
    this.isMeant = isMeant;
    this.nodes = nodes;
    keys.forEach(key -> domains.put(key, new HashMap<>()));
    pods.forEach(this::add);
    this.followed = followed;
  }

  /** Follows what was placed and removed since it was last needed. */
  void follow(List<Change> changes) {
    followed = Change.apply(changes, followed, this::add, this::remove);
  }

  /** Adds a pod, if the rule means it. On a node without any of the labels, it does not matter. */
  private void add(Neighbor pod) {
    if (!isMeant.test(pod)) {
      return;
    }
    NodeView node = nodes.get(pod.node().orElse(""));
    boolean matters = node == null;
    if (node != null) {
      for (Map.Entry<String, Map<String, Set<String>>> each : domains.entrySet()) {
        String value = node.labels().get(each.getKey());
        if (value != null) {
          each.getValue().computeIfAbsent(value, _ -> HashSet.newHashSet(1)).add(pod.uid());
          matters = true;
        }
      }
    }
    if (matters) {
      uids.add(pod.uid());
    }
  }

  private void remove(Neighbor pod) {
    if (uids.remove(pod.uid())) {
      domains.forEach(
          (key, byValue) -> {
            String value = value(pod, key);
            if (value != null) {
              byValue.getOrDefault(value, Set.of()).remove(pod.uid());
            }
          });
    }
  }

  boolean contains(String uid) {
    return uids.contains(uid);
  }

  /** Whether all are gone, wherever they are. */
  boolean areGone(Set<String> gone) {
    return uids.size() <= gone.size() && gone.containsAll(uids);
  }

  /** Whether none stays in the domain of the node, for each of the keys. */
  boolean areGoneNear(NodeView node, Set<String> gone) {
    for (String key : domains.keySet()) {
      if (!areGoneNear(node, key, gone)) {
        return false;
      }
    }
    return true;
  }

  /** Whether none stays in the domain of the node. */
  boolean areGoneNear(NodeView node, String key, Set<String> gone) {
    String value = node.labels().get(key);
    if (value == null) {
      return true;
    }
    Set<String> here = domains.getOrDefault(key, Map.of()).getOrDefault(value, Set.of());
    return here.size() <= gone.size() && gone.containsAll(here);
  }

  private @Nullable String value(Neighbor pod, String key) {
    NodeView node = nodes.get(pod.node().orElse(""));
    return node == null ? null : node.labels().get(key);
  }
}
