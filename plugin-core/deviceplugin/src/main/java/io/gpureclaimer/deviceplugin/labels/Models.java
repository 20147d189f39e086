package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.nvml.poll.GpuFacts;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The GPUs of a node by their model.
 *
 * @param byName under the name that the driver has for the model; each has at least one
 */
record Models(SortedMap<String, List<GpuFacts>> byName) {

  static Models of(List<GpuFacts> gpus) {
    return new Models(
        gpus.stream()
            .collect(
                Collectors.groupingBy(
                    gpu -> gpu.gpu().modelName(), TreeMap::new, Collectors.toList())));
  }

  /** The model with the most GPUs; of several, the first in the alphabet. */
  Optional<GpuModel> mostCommon() {
    return byName.entrySet().stream()
        .max(
            Comparator.<Map.Entry<String, List<GpuFacts>>>comparingInt(it -> it.getValue().size())
                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
        .map(entry -> new GpuModel(entry.getKey(), entry.getValue()));
  }

  /** All, in the order of the alphabet. */
  List<GpuModel> all() {
    return byName.entrySet().stream()
        .map(entry -> new GpuModel(entry.getKey(), entry.getValue()))
        .toList();
  }

  boolean isMixed() {
    return byName.size() > 1;
  }

  /**
   * One model, and the GPUs that are of it.
   *
   * @param name as the driver spells it
   * @param gpus in the driver's order
   */
  record GpuModel(String name, List<GpuFacts> gpus) {
    private static final long MIB = 1024L * 1024;

    /** As the first of them that reports it; a memory of 0 is not reported. */
    Optional<Long> memoryMib() {
      return gpus.stream()
          .flatMap(gpu -> Optional.ofNullable(gpu.memoryBytes()).stream())
          .map(bytes -> bytes / MIB)
          .filter(mib -> mib > 0)
          .findFirst();
    }
  }
}
