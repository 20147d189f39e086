package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.NodeView;
import java.util.Map;

/**
 * What pods leave of a node with whole GPUs. If the node reports no resource in addition to its
 * devices, only GPUs count.
 *
 * @param free GPUs that no pod holds; below zero on a node that lost some
 * @param others what is left in addition to devices
 */
record NodeRoom(NodeView view, int free, FreeResources others) {

  /** Whether one more pod fits. */
  boolean fits(int gpus, Map<String, Long> requests) {
    return free >= gpus && covers(requests);
  }

  /** Whether as much is left in addition to GPUs. */
  boolean covers(Map<String, Long> requests) {
    return view.allocatable().isEmpty() || others.cover(requests);
  }

  /** With one more pod. */
  NodeRoom less(int gpus, Map<String, Long> requests) {
    return new NodeRoom(view, free - gpus, others.less(requests));
  }

  /** Without a pod. */
  NodeRoom and(int gpus, Map<String, Long> requests) {
    return new NodeRoom(view, free + gpus, others.and(requests));
  }

  /** How many such pods fit together. */
  int count(int gpus, Map<String, Long> requests) {
    int count = 0;
    for (NodeRoom left = this; left.fits(gpus, requests); left = left.less(gpus, requests)) {
      count++;
    }
    return count;
  }
}
