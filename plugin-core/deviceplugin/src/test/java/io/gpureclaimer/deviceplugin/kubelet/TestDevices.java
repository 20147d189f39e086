package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.allocation.Allocation;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Granted;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Refused;
import io.gpureclaimer.deviceplugin.allocation.Allocator;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Devices to offer in tests, with an allocator that knows them and no others. */
public final class TestDevices {
  public static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  public static final ResourceName MIG = new ResourceName("nvidia.com/mig-1g.10gb");

  private TestDevices() {}

  /** Healthy ones. */
  public static ResourceDevices of(String... ids) {
    return of(Arrays.stream(ids).map(TestDevices::healthy).toList());
  }

  /** So many healthy ones. */
  public static ResourceDevices many(int count) {
    return of(IntStream.range(0, count).mapToObj(number -> healthy("gpu::" + number)).toList());
  }

  /** These. */
  public static ResourceDevices of(List<ListedDevice> devices) {
    return new ResourceDevices(devices, new Known(devices.stream().map(ListedDevice::id).toList()));
  }

  public static ListedDevice healthy(String id) {
    return new ListedDevice(id, true, List.of());
  }

  public static ListedDevice unhealthy(String id) {
    return new ListedDevice(id, false, List.of());
  }

  private record Known(List<String> ids) implements Allocator {
    @Override
    public List<String> prefer(Set<String> available, Set<String> required, int size) {
      return available.stream().sorted().limit(size).toList();
    }

    @Override
    public Allocation allocate(List<String> wanted) {
      return ids.containsAll(wanted)
          ? new Granted(
              Map.of("NVIDIA_VISIBLE_DEVICES", String.join(",", wanted)),
              List.of(),
              List.of(),
              Map.of(),
              List.of())
          : new Refused("there is no " + wanted + " among " + ids);
    }
  }
}
