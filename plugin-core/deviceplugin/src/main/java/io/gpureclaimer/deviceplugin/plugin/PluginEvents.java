package io.gpureclaimer.deviceplugin.plugin;

import java.time.Duration;

/** Hears what happens at the service of one resource. Called from gRPC's threads: be quick. */
public interface PluginEvents {

  /** Somebody began to watch the list, or ceased to. */
  void streamsChanged();

  /** A list went out to somebody who watches. */
  void sent(DeviceList list);

  /** Somebody asked for devices, and had an answer after so long. */
  void allocated(AllocationOutcome outcome, Duration took);

  /** Somebody asked which devices fit best, and had an answer after so long. */
  void preferred(Duration took);
}
