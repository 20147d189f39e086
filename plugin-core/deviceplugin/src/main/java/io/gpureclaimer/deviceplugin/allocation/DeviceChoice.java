package io.gpureclaimer.deviceplugin.allocation;

import java.util.List;

/** Selection of devices of a resource. */
public sealed interface DeviceChoice {

  /** Every one. */
  record All() implements DeviceChoice {}

  /** The first devices, by index. */
  record First(int count) implements DeviceChoice {
    public First {
      if (count < 1) {
        throw new IllegalArgumentException("a number of devices must be positive, was " + count);
      }
    }
  }

  /**
   * The named devices.
   *
   * @param names by UUID, or by index: {@code 3}, of a MIG device {@code 3:1}
   */
  record Named(List<String> names) implements DeviceChoice {
    public Named {
      names = List.copyOf(names);
    }

    boolean matches(Device device) {
      return names.contains(device.uuid()) || names.contains(device.index().toString());
    }
  }
}
