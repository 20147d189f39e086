package io.gpureclaimer.reclaimer.cluster;

import java.util.List;
import java.util.Map;

/**
 * The cluster at one moment, as far as GPUs are concerned.
 *
 * @param pods every pod that requests a whole GPU; terminating ones are among them, finished ones
 *     are not
 * @param namespaces by name
 * @param nodes every node that offers whole GPUs
 */
public record ClusterView(
    List<PodView> pods, Map<String, NamespaceView> namespaces, List<NodeView> nodes) {
  public ClusterView {
    pods = List.copyOf(pods);
    namespaces = Map.copyOf(namespaces);
    nodes = List.copyOf(nodes);
  }
}
