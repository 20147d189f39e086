package io.gpureclaimer.deviceplugin.plugin;

import java.time.Duration;

/** Listener of events of the service of one resource. Called from gRPC's threads: be quick. */
public interface PluginEvents {

  /** A client began to watch the list, or stopped. */
  void streamsChanged();

  /** A list was sent to a watcher. */
  void sent(DeviceList list);

  /** A client requested devices, and had an answer after this time. */
  void allocated(AllocationOutcome outcome, Duration took);

  /** A client asked which devices fit best, and had an answer after this time. */
  void preferred(Duration took);
}
