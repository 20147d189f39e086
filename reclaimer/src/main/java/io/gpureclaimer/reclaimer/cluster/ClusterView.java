package io.gpureclaimer.reclaimer.cluster;

import java.util.List;
import java.util.Map;

/**
 * The cluster at one moment, as far as GPUs are concerned.
 *
 * @param pods every pod with GPUs or MIG slices, requested or claimed; terminating ones are among
 *     them, finished ones are not
 * @param nodes every node that offers whole GPUs
 * @param owners by UID; an owner that is missing here could not be read
 */
public record ClusterView(
    List<PodView> pods,
    Map<String, NamespaceView> namespaces,
    List<NodeView> nodes,
    Map<String, OwnerView> owners) {
  public ClusterView {
    pods = List.copyOf(pods);
    namespaces = Map.copyOf(namespaces);
    nodes = List.copyOf(nodes);
    owners = Map.copyOf(owners);
  }

  /**
   * A namespace and what is written on it.
   *
   * @param annotations its annotations, without kubectl's copy of the manifest
   */
  public record NamespaceView(String name, Map<String, String> annotations) {
    public NamespaceView {
      annotations = Map.copyOf(annotations);
    }
  }
}
