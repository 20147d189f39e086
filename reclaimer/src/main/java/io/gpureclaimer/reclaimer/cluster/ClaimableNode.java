package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.util.Map;

/**
 * A node that offers devices by dynamic resource allocation alone, with its devices as its
 * ResourceSlices and all claims describe them.
 *
 * <p>Devices count by the resource that a device plugin would name them: {@link ResourceNames#GPU},
 * or {@link ResourceNames#MIG_PREFIX} and the profile. MIG devices that the driver makes on demand
 * do not count, nor do devices that several claims may share.
 *
 * @param product the model: the node's label, or the product name of its devices; empty if neither
 *     is there, or if the devices differ
 * @param free devices without a device taint that no claim has, by resource; zero if there are none
 * @param held devices that the claims of a pod have, by the pod's UID, then by resource
 */
public record ClaimableNode(
    NodeView view,
    String product,
    Map<String, Integer> free,
    Map<String, Map<String, Integer>> held) {
  public ClaimableNode {
    free = Map.copyOf(free);
    held = Map.copyOf(held);
  }

  /** How many devices of a resource the claims of a pod have. */
  public int held(String resource, PodRef pod) {
    return held.getOrDefault(pod.uid(), Map.of()).getOrDefault(resource, 0);
  }
}
