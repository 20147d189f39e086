package io.gpureclaimer.deviceplugin.plugin;

import io.gpureclaimer.deviceplugin.allocation.Allocator;
import io.gpureclaimer.deviceplugin.allocation.OfferedDevice;
import java.util.List;

/**
 * What is offered under one resource name.
 *
 * @param devices all of them; none is a legal offer, and says that there is nothing to have
 * @param allocator answers for these devices
 */
public record Offered(List<OfferedDevice> devices, Allocator allocator) {
  public Offered {
    devices = List.copyOf(devices);
  }
}
