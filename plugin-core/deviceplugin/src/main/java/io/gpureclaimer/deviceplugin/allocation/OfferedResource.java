package io.gpureclaimer.deviceplugin.allocation;

import java.util.List;

/**
 * What is offered under one name; nothing any more if it is empty.
 *
 * @param name of the resource
 * @param portions in the order of their indices
 */
public record OfferedResource(ResourceName name, List<Portion> portions) {
  public OfferedResource {
    portions = List.copyOf(portions);
  }

  /** What the kubelet is told of it. */
  public List<OfferedDevice> devices() {
    return portions.stream()
        .flatMap(portion -> portion.offered(portion.healthy()).stream())
        .toList();
  }
}
