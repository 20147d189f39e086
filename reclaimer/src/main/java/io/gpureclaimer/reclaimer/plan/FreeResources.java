package io.gpureclaimer.reclaimer.plan;

import java.util.HashMap;
import java.util.Map;

/**
 * What pods have left of the CPU, memory and other resources of a node, beside its devices. Those
 * of terminating pods count as free already.
 *
 * @param amounts by name, in thousandths; below zero where pods have more than there is
 */
record FreeResources(Map<String, Long> amounts) {
  FreeResources {
    amounts = Map.copyOf(amounts);
  }

  /** Once a pod has these. */
  FreeResources less(Map<String, Long> requests) {
    return plus(requests, -1);
  }

  /** Once a pod has these no longer. */
  FreeResources and(Map<String, Long> requests) {
    return plus(requests, 1);
  }

  private FreeResources plus(Map<String, Long> requests, int sign) {
    if (requests.isEmpty()) {
      return this;
    }
    Map<String, Long> sum = new HashMap<>(amounts);
    requests.forEach((name, amount) -> sum.merge(name, sign * amount, Long::sum));
    return new FreeResources(sum);
  }

  /** By how much what a pod requests exceeds what is free; without what does not. */
  Map<String, Long> lacking(Map<String, Long> requests) {
    if (cover(requests)) {
      return Map.of();
    }
    Map<String, Long> lacking = new HashMap<>();
    requests.forEach(
        (name, amount) -> {
          long missing = amount - amounts.getOrDefault(name, 0L);
          if (missing > 0) {
            lacking.put(name, missing);
          }
        });
    return lacking;
  }

  /** How many of so many pods that request these find enough together. */
  int count(Map<String, Long> requests, int pods) {
    long count = pods;
    for (Map.Entry<String, Long> each : requests.entrySet()) {
      if (each.getValue() > 0) {
        long left = Math.max(0, amounts.getOrDefault(each.getKey(), 0L));
        count = Math.min(count, left / each.getValue());
      }
    }
    return (int) count;
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
}
