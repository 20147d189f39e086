package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.exporter.attribution.PodRegister.Watch;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knows the devices that the driver of dynamic resource allocation publishes for this node. */
public interface DeviceRegister {
  /** Whose devices are GPUs. */
  String DRIVER = "gpu.nvidia.com";

  /** What is known now; never fails and never waits. */
  Known now();

  /**
   * What the driver has published.
   *
   * @param watch whether the API server keeps telling
   * @param devices by what the driver calls them
   */
  record Known(Watch watch, Map<Published, Description> devices) {
    public Known {
      devices = Map.copyOf(devices);
    }
  }

  /** What the driver calls a device: a name within a pool. */
  record Published(String pool, String device) {}

  /**
   * What the driver says of a device.
   *
   * @param uuid {@code GPU-…} or {@code MIG-…}
   * @param migProfile the size of a device of MIG; null when it is none, or it is not said
   */
  record Description(String uuid, @Nullable String migProfile) {}

  /** What an agent knows that was not told of dynamic resource allocation. */
  Known NOTHING = new Known(new Watch.NotAsked(), Map.of());

  /** For such an agent. */
  static DeviceRegister none() {
    return () -> NOTHING;
  }
}
