package io.gpureclaimer.deviceplugin.allocation;

import java.util.List;

/**
 * A device as the kubelet is told of it.
 *
 * @param id what the kubelet will ask for it by; never blank
 * @param healthy whether a new container may get it
 * @param numaNodes those that it is near to; empty if not known
 */
public record OfferedDevice(String id, boolean healthy, List<Integer> numaNodes) {
  public OfferedDevice {
    numaNodes = List.copyOf(numaNodes);
    if (id.isBlank()) {
      throw new IllegalArgumentException("the id of a device must not be blank");
    }
  }
}
