package io.gpureclaimer.reclaimer.cluster;

import java.util.Map;

/**
 * What a pod's specification requests of GPUs, counted as an agent would see it held.
 *
 * @param gpus how many whole GPUs
 * @param slices how many MIG instances, by profile, for example {@code 1g.10gb}
 * @param others whether it also requests what is not counted: shares of GPUs, claims, accelerators
 *     of other makers
 */
public record Accelerators(int gpus, Map<String, Integer> slices, boolean others) {
  public Accelerators {
    slices = Map.copyOf(slices);
    if (gpus < 0) {
      throw new IllegalArgumentException("gpus must not be negative, was " + gpus);
    }
    slices.forEach(Accelerators::requirePositive);
  }

  /** Whole GPUs and nothing else. */
  public static Accelerators whole(int gpus) {
    return new Accelerators(gpus, Map.of(), false);
  }

  /** The same, and something that is not counted. */
  public Accelerators andOthers() {
    return new Accelerators(gpus, slices, true);
  }

  /** How many devices an agent has to see in the pod's hands: whole GPUs and instances. */
  public int devices() {
    return gpus + slices.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static void requirePositive(String profile, int count) {
    if (count < 1) {
      throw new IllegalArgumentException(
          "a profile that is requested is requested at least once, was "
              + count
              + " of "
              + profile);
    }
  }
}
