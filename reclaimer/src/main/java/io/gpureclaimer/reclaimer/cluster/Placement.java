package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
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

  /**
   * A taint that a pod tolerates, with Kubernetes' meaning of empty fields: an empty key tolerates
   * all keys, an empty effect all effects.
   *
   * @param key the taint's key, or empty
   * @param anyValue whether the operator is {@code Exists}
   * @param value the taint's value when the operator is {@code Equal}
   * @param effect the taint's effect, or empty
   */
  public record Toleration(String key, boolean anyValue, String value, String effect) {

    /** Whether this toleration covers the taint. */
    public boolean covers(Taint taint) {
      boolean sameKey = key.isEmpty() ? anyValue : key.equals(taint.key());
      boolean sameValue = anyValue || value.equals(taint.value());
      boolean sameEffect = effect.isEmpty() || effect.equals(taint.effect());
      return sameKey && sameValue && sameEffect;
    }
  }
}
