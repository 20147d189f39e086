package io.gpureclaimer.core.inventory;

import io.gpureclaimer.core.device.GpuUuid;
import java.util.Map;

/**
 * What one look at all GPUs brought.
 *
 * @param inventory what stays equal from survey to survey while nothing changes
 * @param counters what does not, of each GPU that could be asked
 */
public record Survey(Inventory inventory, Map<GpuUuid, Counters> counters) {
  public Survey {
    counters = Map.copyOf(counters);
  }
}
