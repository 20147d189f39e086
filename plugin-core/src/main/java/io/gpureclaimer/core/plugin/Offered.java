package io.gpureclaimer.core.plugin;

import io.gpureclaimer.core.allocation.Allocator;
import io.gpureclaimer.core.allocation.OfferedDevice;
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
