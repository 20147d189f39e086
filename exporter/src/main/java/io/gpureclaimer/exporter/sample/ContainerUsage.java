package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.common.device.Entity;
import java.util.List;
import java.util.Map;

/** Use of devices by containers. */
public sealed interface ContainerUsage {

  /** Not enabled. */
  record NotEnabled() implements ContainerUsage {}

  /** Cannot be determined on this node; {@code reason} is one line for a human. */
  record Unavailable(String reason) implements ContainerUsage {}

  /**
   * It is known.
   *
   * @param byDevice one entry per container that holds the device; a device of whose processes not
   *     everything is known has no entry
   */
  record Known(Map<Entity, List<ContainerUse>> byDevice) implements ContainerUsage {
    public Known {
      byDevice = Map.copyOf(byDevice);
    }
  }

  /** Of this device; empty when it is not known. */
  default List<ContainerUse> of(Entity device) {
    return this instanceof Known(var byDevice)
        ? byDevice.getOrDefault(device, List.of())
        : List.of();
  }
}
