package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.HashMap;
import java.util.Map;

/**
 * How many GPUs each node has to promise. Confined to one planning.
 *
 * <p>The GPUs of terminating pods count as free already. A node that lost GPUs can be below zero.
 */
final class FreeGpus {
  private final Map<String, Integer> free = new HashMap<>();

  FreeGpus(ClusterView cluster) {
    for (NodeView node : cluster.nodes()) {
      free.put(node.name(), node.gpus());
    }
    for (PodView pod : cluster.pods()) {
      if (pod.holdsGpus() && !pod.terminating()) {
        pod.node().ifPresent(node -> take(node, pod.gpus()));
      }
    }
  }

  int on(String node) {
    return free.getOrDefault(node, 0);
  }

  void take(String node, int gpus) {
    free.merge(node, -gpus, Integer::sum);
  }

  void give(String node, int gpus) {
    free.merge(node, gpus, Integer::sum);
  }
}
