package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Update for subscribers of a {@link GpuPoller}. */
public sealed interface InventoryUpdate {

  /**
   * The inventory has changed, or its facts were read again.
   *
   * @param order GPU at each index of the driver, as far as known; a GPU in MIG mode is left out
   * @param counters of each GPU whose facts were read in this poll
   */
  record Polled(
      NodeInventory inventory, List<Optional<GpuUuid>> order, Map<GpuUuid, GpuCounters> counters)
      implements InventoryUpdate {
    public Polled {
      order = List.copyOf(order);
      counters = Map.copyOf(counters);
    }
  }

  /** There is no session with the driver; {@code reason} is one line for a human. */
  record DriverDown(String reason) implements InventoryUpdate {}

  /**
   * Counters of a GPU since it was last started: by a reset, or when the driver was loaded.
   *
   * @param millijoules energy; null if not reported
   * @param doubleBitErrors errors of its memory that could not be corrected; null if not reported
   */
  record GpuCounters(@Nullable Long millijoules, @Nullable Long doubleBitErrors) {
    /** Nothing is reported. */
    public static final GpuCounters UNKNOWN = new GpuCounters(null, null);

    /** Whether the GPU was started again since then: something that only grows is less now. */
    public boolean hasRestartedSince(GpuCounters before) {
      return isLess(millijoules, before.millijoules)
          || isLess(doubleBitErrors, before.doubleBitErrors);
    }

    /** These counters, and the earlier ones where they are not reported now. */
    public GpuCounters or(GpuCounters before) {
      return new GpuCounters(
          millijoules == null ? before.millijoules : millijoules,
          doubleBitErrors == null ? before.doubleBitErrors : doubleBitErrors);
    }

    private static boolean isLess(@Nullable Long now, @Nullable Long before) {
      return now != null && before != null && now < before;
    }
  }
}
