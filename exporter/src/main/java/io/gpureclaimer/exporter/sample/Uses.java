package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.common.device.Entity;
import java.util.List;
import java.util.Map;

/** What is known of the use that single containers make of the devices they hold. */
public sealed interface Uses {

  /** Not enabled. */
  record NotAsked() implements Uses {}

  /** It cannot be known here; {@code reason} is one line for a human. */
  record Unknowable(String reason) implements Uses {}

  /**
   * It is known.
   *
   * @param byDevice one entry per container that holds the device; a device of whose processes not
   *     everything is known has no entry
   */
  record Known(Map<Entity, List<ContainerUse>> byDevice) implements Uses {
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
