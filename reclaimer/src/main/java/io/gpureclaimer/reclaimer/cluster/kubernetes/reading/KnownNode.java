package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A node, and what a pod on it really gets.
 *
 * @param name its name
 * @param standing why its pods are not to be touched; empty while it is ready and not cordoned
 * @param shared whether what it offers as whole GPUs are shares of them
 * @param profile the MIG profile of what it offers as whole GPUs, where those are instances
 * @param whole the node as one that offers whole GPUs, if it does
 */
public record KnownNode(
    String name,
    Optional<String> standing,
    boolean shared,
    Optional<String> profile,
    Optional<NodeView> whole) {

  /** What a pod on this node holds that requests this. */
  public Accelerators held(Accelerators requested) {
    if (shared) {
      return requested.andOthers();
    }
    return profile
        .filter(_ -> requested.gpus() > 0)
        .map(each -> instances(requested, each))
        .orElse(requested);
  }

  private static Accelerators instances(Accelerators requested, String profile) {
    Map<String, Integer> slices = new HashMap<>(requested.slices());
    slices.merge(profile, requested.gpus(), Integer::sum);
    return new Accelerators(0, slices, requested.claimed(), requested.others());
  }
}
