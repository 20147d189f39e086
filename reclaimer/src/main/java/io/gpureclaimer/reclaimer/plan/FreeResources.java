package io.gpureclaimer.reclaimer.plan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What pods have left of the CPU, memory and other resources of a node, beside its devices. Those
 * of terminating pods count as free already. Immutable.
 *
 * <p>Arrays, because a planning asks each of many nodes for each of many pods, and few names are
 * compared in less time than a hash table takes.
 */
final class FreeResources {
  private final String[] names;

  /** By name, in thousandths; below zero where pods have more than there is. */
  private final long[] amounts;

  FreeResources(Map<String, Long> amounts) {
    this(
        amounts.keySet().toArray(String[]::new),
        amounts.values().stream().mapToLong(Long::longValue).toArray());
  }

  private FreeResources(String[] names, long[] amounts) {
    this.names = names;
    this.amounts = amounts;
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
    String[] all = names;
    long[] sum = amounts.clone();
    for (Map.Entry<String, Long> each : requests.entrySet()) {
      int index = indexOf(each.getKey(), all);
      if (index < 0) {
        index = all.length;
        all = Arrays.copyOf(all, index + 1);
        sum = Arrays.copyOf(sum, index + 1);
        all[index] = each.getKey();
      }
      sum[index] += sign * each.getValue();
    }
    return new FreeResources(all, sum);
  }

  private static int indexOf(String name, String[] names) {
    for (int index = 0; index < names.length; index++) {
      if (names[index].equals(name)) {
        return index;
      }
    }
    return -1;
  }

  private long amount(String name) {
    int index = indexOf(name, names);
    return index < 0 ? 0 : amounts[index];
  }

  /** By how much what a pod requests exceeds what is free; without what does not. */
  Map<String, Long> lacking(Map<String, Long> requests) {
    if (cover(requests)) {
      return Map.of();
    }
    Map<String, Long> lacking = new HashMap<>();
    requests.forEach(
        (name, amount) -> {
          long missing = amount - amount(name);
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
        count = Math.min(count, Math.max(0, amount(each.getKey())) / each.getValue());
      }
    }
    return (int) count;
  }

  /** Whether a pod that requests these finds enough. */
  boolean cover(Map<String, Long> requests) {
    for (Map.Entry<String, Long> each : requests.entrySet()) {
      if (each.getValue() > amount(each.getKey())) {
        return false;
      }
    }
    return true;
  }
}
