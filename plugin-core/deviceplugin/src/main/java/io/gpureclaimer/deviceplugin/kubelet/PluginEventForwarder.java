package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import io.gpureclaimer.deviceplugin.plugin.DeviceList;
import io.gpureclaimer.deviceplugin.plugin.PluginEvents;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Hears on any thread, and tells on the one that conducts. */
record PluginEventForwarder(Executor registrar, PluginEvents to) implements PluginEvents {
  @Override
  public void streamsChanged() {
    registrar.execute(to::streamsChanged);
  }

  @Override
  public void sent(DeviceList list) {
    registrar.execute(() -> to.sent(list));
  }

  @Override
  public void allocated(AllocationOutcome outcome, Duration took) {
    registrar.execute(() -> to.allocated(outcome, took));
  }

  @Override
  public void preferred(Duration took) {
    registrar.execute(() -> to.preferred(took));
  }
}
