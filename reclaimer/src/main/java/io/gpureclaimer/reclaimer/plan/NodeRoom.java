package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.NodeView;
import java.util.Map;
import java.util.Set;

/**
 * What pods leave of a node with devices of one kind. As for kube-scheduler, a node has nothing of
 * what is not in its {@code allocatable}.
 *
 * @param names by which pods request the devices
 * @param free devices that no pod holds; below zero on a node that lost some
 * @param others what is left in addition to devices
 */
record NodeRoom(NodeView view, Set<String> names, int free, FreeResources others) {

  /** Whether one more pod fits. */
  boolean fits(int devices, Map<String, Long> requests) {
    return free >= devices && others.cover(requests);
  }

  /** With one more pod. */
  NodeRoom less(int devices, Map<String, Long> requests) {
    return new NodeRoom(view, names, free - devices, others.less(requests));
  }

  /** Without a pod. */
  NodeRoom and(int devices, Map<String, Long> requests) {
    return new NodeRoom(view, names, free + devices, others.and(requests));
  }

  /** How many such pods fit together. */
  int count(int devices, Map<String, Long> requests) {
    return others.count(requests, Math.max(0, free) / devices);
  }
}
