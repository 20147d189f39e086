package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** News for the subscribers of a {@link GpuPoller}. */
public sealed interface InventoryUpdate {

  /**
   * The inventory has changed, or its facts were read again.
   *
   * @param order GPU at each index of the driver, as far as known; a GPU in MIG mode is left out
   * @param counters of each GPU whose facts were read in this poll
   */
  record Polled(
      NodeInventory inventory, List<Optional<GpuUuid>> order, Map<GpuUuid, Counters> counters)
      implements InventoryUpdate {
    public Polled {
      order = List.copyOf(order);
      counters = Map.copyOf(counters);
    }
  }

  /** There is no session with the driver; {@code reason} is one line for a human. */
  record DriverDown(String reason) implements InventoryUpdate {}
}
