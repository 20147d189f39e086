package io.gpureclaimer.reclaimer.cluster;

import java.util.List;
import java.util.Map;

/**
 * Where a pod may run.
 *
 * @param nodeSelector labels that a node must have
 * @param constrainedFurther affinity, topology spread or another rule that is not read here;
 *     whether a node suits such a pod is unknown
 */
public record Placement(
    Map<String, String> nodeSelector, List<Toleration> tolerations, boolean constrainedFurther) {

  /** Anywhere. */
  public static final Placement ANYWHERE = new Placement(Map.of(), List.of(), false);

  public Placement {
    nodeSelector = Map.copyOf(nodeSelector);
    tolerations = List.copyOf(tolerations);
  }
}
