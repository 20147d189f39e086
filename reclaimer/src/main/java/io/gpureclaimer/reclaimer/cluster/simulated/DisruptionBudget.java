package io.gpureclaimer.reclaimer.cluster.simulated;

import java.util.Map;

/**
 * How many of some pods must stay.
 *
 * @param selector labels that all the pods have
 */
public record DisruptionBudget(
    String namespace, String name, Map<String, String> selector, int minAvailable) {
  public DisruptionBudget {
    selector = Map.copyOf(selector);
  }

  boolean selects(PodSpec pod) {
    return pod.namespace().equals(namespace)
        && pod.labels().entrySet().containsAll(selector.entrySet());
  }
}
