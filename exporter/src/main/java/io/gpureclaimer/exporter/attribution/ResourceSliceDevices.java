package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** GPUs that the DRA driver publishes for this node in ResourceSlices. */
public interface ResourceSliceDevices {
  /** Whose devices are GPUs. */
  String DRIVER = "gpu.nvidia.com";

  /** What is known now; never fails and never waits. */
  KnownDevices now();

  /**
   * Devices of the ResourceSlices.
   *
   * @param watch whether the API server keeps reporting
   * @param devices by what the driver calls them
   */
  record KnownDevices(WatchState watch, Map<PublishedDevice, DeviceDescription> devices) {
    public KnownDevices {
      devices = Map.copyOf(devices);
    }
  }

  /** Name of a published device: a name within a pool. */
  record PublishedDevice(String pool, String device) {}

  /**
   * Attributes of a published device.
   *
   * @param uuid {@code GPU-…} or {@code MIG-…}
   * @param migProfile the size of a device of MIG; null when it is none, or it is not said
   */
  record DeviceDescription(String uuid, @Nullable String migProfile) {}

  /** What an agent knows without reports of dynamic resource allocation. */
  KnownDevices NOTHING = new KnownDevices(new WatchState.NotEnabled(), Map.of());

  /** For such an agent. */
  static ResourceSliceDevices none() {
    return () -> NOTHING;
  }
}
