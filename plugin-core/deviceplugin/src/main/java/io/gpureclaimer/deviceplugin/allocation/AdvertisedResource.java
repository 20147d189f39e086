package io.gpureclaimer.deviceplugin.allocation;

import java.util.List;

/**
 * Devices that are advertised under one resource name; may be empty.
 *
 * @param name of the resource
 * @param portions in the order of their indices
 */
public record AdvertisedResource(ResourceName name, List<AdvertisedDevice> portions) {
  public AdvertisedResource {
    portions = List.copyOf(portions);
  }

  /** Its devices for the kubelet. */
  public List<ListedDevice> devices() {
    return portions.stream()
        .flatMap(portion -> portion.offered(portion.healthy()).stream())
        .toList();
  }

  /**
   * A device in the list that the kubelet gets.
   *
   * @param id what the kubelet will ask for it by; never blank
   * @param healthy whether a new container may get it
   * @param numaNodes those that it is near to; empty if not known
   */
  public record ListedDevice(String id, boolean healthy, List<Integer> numaNodes) {
    public ListedDevice {
      numaNodes = List.copyOf(numaNodes);
      if (id.isBlank()) {
        throw new IllegalArgumentException("the id of a device must not be blank");
      }
    }
  }
}
