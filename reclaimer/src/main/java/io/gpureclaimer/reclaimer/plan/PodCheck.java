package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodRules;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import java.util.List;
import java.util.Set;

/**
 * Rules that concern one pending pod. Valid while no pod is placed or removed; confined to one
 * planning.
 *
 * @param pod the pending pod
 * @param apart pods that must not be in its domain, for whichever side's anti-affinity
 * @param near pods that are all that its affinity requires
 * @param isNearItself whether it is a pod that its affinity requires
 * @param spreads one for each of its spread constraints
 */
record PodCheck(
    Neighbor pod,
    PlacedPods placed,
    List<PodsByDomain> apart,
    PodsByDomain near,
    boolean isNearItself,
    List<SpreadCounts> spreads) {

  private PodRules rules() {
    return pod.rules();
  }

  /** Whether the pod may run on any node, whatever runs there. */
  boolean isEmpty() {
    return apart.isEmpty() && rules().isEmpty();
  }

  /** Whether no node can be near what the pod must be near. */
  boolean isHopeless() {
    return !rules().affinity().isEmpty() && !isNearItself && near.areGone(Set.of());
  }

  /** Whether it matters if a placed pod stays. */
  boolean concerns(String uid, NodeView node) {
    for (PodsByDomain each : apart) {
      if (each.contains(uid)) {
        return true;
      }
    }
    for (SpreadCounts spread : spreads) {
      if (spread.contains(uid)) {
        return true;
      }
    }
    return near.contains(uid)
        || placed.withPortsOf(rules().ports(), node.name()).stream()
            .anyMatch(other -> other.uid().equals(uid));
  }

  /**
   * False only if the pod may not run on the node, whichever of these are gone.
   *
   * @param removable more pods than will be gone
   */
  boolean mayAllow(NodeView node, Set<String> removable) {
    for (SpreadCounts spread : spreads) {
      if (!spread.mayAllow(node, pod, removable)) {
        return false;
      }
    }
    for (PodTerm term : rules().affinity()) {
      if (!node.labels().containsKey(term.topologyKey())
          || (!isNearItself && near.areGoneNear(node, term.topologyKey(), Set.of()))) {
        return false;
      }
    }
    return areApart(node, removable);
  }

  /** Whether the pod may run on the node once others are gone. */
  boolean allows(NodeView node, Set<String> gone) {
    for (SpreadCounts spread : spreads) {
      if (!spread.allows(node, pod, gone)) {
        return false;
      }
    }
    return areApart(node, gone) && isNear(node, gone);
  }

  /** As host ports and anti-affinity of all pods require. */
  private boolean areApart(NodeView node, Set<String> gone) {
    for (Neighbor other : placed.withPortsOf(rules().ports(), node.name())) {
      if (!gone.contains(other.uid())) {
        return false;
      }
    }
    for (PodsByDomain each : apart) {
      if (!each.areGoneNear(node, gone)) {
        return false;
      }
    }
    return true;
  }

  /** The first pod of its kind needs no other one near. */
  private boolean isNear(NodeView node, Set<String> gone) {
    if (rules().affinity().isEmpty()) {
      return true;
    }
    boolean isFirst = isNearItself && near.areGone(gone);
    for (PodTerm term : rules().affinity()) {
      if (!node.labels().containsKey(term.topologyKey())
          || (!isFirst && near.areGoneNear(node, term.topologyKey(), gone))) {
        return false;
      }
    }
    return true;
  }

  static boolean isMeantByAll(List<PodTerm> terms, Neighbor pod) {
    for (PodTerm term : terms) {
      if (!term.mayMean(pod.namespace(), pod.labels())) {
        return false;
      }
    }
    return true;
  }
}
