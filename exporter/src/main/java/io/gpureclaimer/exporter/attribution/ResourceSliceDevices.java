package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knows the devices that the driver of dynamic resource allocation publishes for this node. */
public interface ResourceSliceDevices {
  /** Whose devices are GPUs. */
  String DRIVER = "gpu.nvidia.com";

  /** What is known now; never fails and never waits. */
  KnownDevices now();

  /**
   * What the driver has published.
   *
   * @param watch whether the API server keeps reporting
   * @param devices by what the driver calls them
   */
  record KnownDevices(WatchState watch, Map<PublishedDevice, DeviceDescription> devices) {
    public KnownDevices {
      devices = Map.copyOf(devices);
    }
  }

  /** What the driver calls a device: a name within a pool. */
  record PublishedDevice(String pool, String device) {}

  /**
   * What the driver says of a device.
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
