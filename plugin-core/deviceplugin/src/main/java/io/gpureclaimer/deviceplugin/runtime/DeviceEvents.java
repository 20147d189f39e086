package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.nvml.DriverEvent;
import io.gpureclaimer.nvml.EventWatch;

/** What the driver tells of its own accord, for the device plugin. For any thread. */
public final class DeviceEvents implements EventWatch.Listener {
  private final DeviceHealth health;
  private final WakeUp wakeUp;

  public DeviceEvents(DeviceHealth health, WakeUp wakeUp) {
    this.health = health;
    this.wakeUp = wakeUp;
  }

  @Override
  public void begins(GpuUuid gpu) {
    health.begins(gpu);
  }

  @Override
  public void ends(GpuUuid gpu) {
    health.ends(gpu);
  }

  @Override
  public void happened(DriverEvent event) {
    health.happened(event);
    if (event instanceof DriverEvent.MigChanged) {
      wakeUp.devicesChanged();
    }
  }
}
