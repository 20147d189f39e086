package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.common.device.Entity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Jobs of a batch scheduler on this node.
 *
 * @param byDevice the jobs on each device, each once; a device without jobs has no entry
 * @param badFiles how many files could not be understood; empty without a source
 */
public record Jobs(Map<Entity, List<String>> byDevice, OptionalInt badFiles) {
  /** There is no source. */
  public static final Jobs NOT_ASKED = new Jobs(Map.of(), OptionalInt.empty());

  public Jobs {
    var copy = LinkedHashMap.<Entity, List<String>>newLinkedHashMap(byDevice.size());
    byDevice.forEach(
        (device, jobs) ->
            copy.put(device, jobs.stream().map(WellFormedText::of).distinct().toList()));
    byDevice = Map.copyOf(copy);
  }

  /** Those on this device. */
  public List<String> on(Entity device) {
    return byDevice.getOrDefault(device, List.of());
  }
}
