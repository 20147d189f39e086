package io.gpureclaimer.reclaimer.cluster.simulated;

import java.util.Map;

/**
 * How many of some pods must stay.
 *
 * @param namespace its namespace
 * @param name its name
 * @param selector labels that all the pods have
 * @param minAvailable how many of them must run
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
