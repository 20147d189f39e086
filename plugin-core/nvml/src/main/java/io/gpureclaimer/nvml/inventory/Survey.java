package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one look at all GPUs brought.
 *
 * @param inventory what stays equal from survey to survey while nothing changes
 * @param counters what does not, of each GPU that could be asked
 * @param order who is at each index of the driver's, as far as it is or was known and nothing more
 *     has to be known to offer it: not one that MIG divides
 * @param awaited those that have not come back yet, but may: what the inventory has of them is what
 *     they told the last time
 */
public record Survey(
    Inventory inventory,
    List<Optional<GpuUuid>> order,
    Map<GpuUuid, Counters> counters,
    Set<GpuUuid> awaited) {
  public Survey {
    order = List.copyOf(order);
    counters = Map.copyOf(counters);
    awaited = Set.copyOf(awaited);
  }
}
