package io.gpureclaimer.reclaimer.plan;

import java.util.HashMap;
import java.util.Map;

/**
 * What pods have left of the CPU, memory and other resources of a node, beside its devices, by
 * name, in thousandths. Those of terminating pods count as free already. Confined to one planning.
 */
final class FreeResources {
  private final Map<String, Long> amounts;

  FreeResources(Map<String, Long> amounts) {
    this.amounts = new HashMap<>(amounts);
  }

  /** A pod has these from now on. */
  void take(Map<String, Long> requests) {
    requests.forEach((name, amount) -> amounts.merge(name, -amount, Long::sum));
  }

  /** A pod has these no longer. */
  void give(Map<String, Long> requests) {
    requests.forEach((name, amount) -> amounts.merge(name, amount, Long::sum));
  }

  /** By how much what a pod requests exceeds what is free; without what does not. */
  Map<String, Long> lacking(Map<String, Long> requests) {
    Map<String, Long> lacking = Map.of();
    for (Map.Entry<String, Long> each : requests.entrySet()) {
      long missing = each.getValue() - amounts.getOrDefault(each.getKey(), 0L);
      if (missing > 0) {
        lacking = lacking.isEmpty() ? new HashMap<>() : lacking;
        lacking.put(each.getKey(), missing);
      }
    }
    return lacking;
  }

  /** Whether a pod that requests these finds enough. */
  boolean cover(Map<String, Long> requests) {
    for (Map.Entry<String, Long> each : requests.entrySet()) {
      if (each.getValue() > amounts.getOrDefault(each.getKey(), 0L)) {
        return false;
      }
    }
    return true;
  }

  Map<String, Long> amounts() {
    return Map.copyOf(amounts);
  }

  void restore(Map<String, Long> before) {
    amounts.clear();
    amounts.putAll(before);
  }
}
