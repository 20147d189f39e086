package io.gpureclaimer.core.inventory;

import io.gpureclaimer.core.device.GpuUuid;
import java.util.Map;
import java.util.Set;

/**
 * What one look at all GPUs brought.
 *
 * @param inventory what stays equal from survey to survey while nothing changes
 * @param counters what does not, of each GPU that could be asked
 * @param awaited those that have not come back yet, but may: what the inventory has of them is what
 *     they told the last time
 */
public record Survey(Inventory inventory, Map<GpuUuid, Counters> counters, Set<GpuUuid> awaited) {
  public Survey {
    counters = Map.copyOf(counters);
    awaited = Set.copyOf(awaited);
  }
}
