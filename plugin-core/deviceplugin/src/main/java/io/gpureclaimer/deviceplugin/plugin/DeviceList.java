package io.gpureclaimer.deviceplugin.plugin;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.allocation.Allocator;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Devices of one resource as the kubelet gets them: complete, ids unique, ordered by id.
 *
 * @param devices in any order when given
 */
public record DeviceList(List<ListedDevice> devices) {
  /** What the kubelet's gRPC takes in one message; a larger one would end the stream. */
  static final int LARGEST_MESSAGE = 4 * 1024 * 1024;

  public DeviceList {
    devices = devices.stream().sorted(Comparator.comparing(ListedDevice::id)).toList();
  }

  /** Why the kubelet would not understand this list, in one line; empty if it would. */
  public Optional<String> flaw() {
    Optional<String> twice = twice();
    if (twice.isPresent()) {
      return twice.map(id -> "the id " + id + " is offered more than once");
    }
    int size = ProtoMessages.list(this).getSerializedSize();
    return size <= LARGEST_MESSAGE
        ? Optional.empty()
        : Optional.of(
            "a list of "
                + devices.size()
                + " devices takes "
                + size
                + " bytes, and the kubelet accepts at most "
                + LARGEST_MESSAGE
                + "; offer fewer replicas, or under more than one resource name");
  }

  /** How many devices a new container may get. */
  public int healthy() {
    return (int) devices.stream().filter(ListedDevice::healthy).count();
  }

  /** The ids of the devices that a new container may get. */
  public Set<String> healthyIds() {
    return devices.stream()
        .filter(ListedDevice::healthy)
        .map(ListedDevice::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Optional<String> twice() {
    var seen = new HashSet<String>();
    return devices.stream().map(ListedDevice::id).filter(id -> !seen.add(id)).findFirst();
  }

  /**
   * Devices under one resource name, and their allocator.
   *
   * @param devices all of them; none is a legal offer, and says that there is nothing to have
   * @param allocator answers for these devices
   */
  public record ResourceDevices(List<ListedDevice> devices, Allocator allocator) {
    public ResourceDevices {
      devices = List.copyOf(devices);
    }
  }
}
