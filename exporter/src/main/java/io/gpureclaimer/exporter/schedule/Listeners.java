package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.DriverEvent;
import io.gpureclaimer.nvml.EventWatch;
import java.util.List;

/**
 * Everybody who wants to hear of events.
 *
 * @param all in the order in which they are told
 */
record Listeners(List<EventWatch.Listener> all) implements EventWatch.Listener {
  Listeners {
    all = List.copyOf(all);
  }

  @Override
  public void begins(GpuUuid gpu) {
    all.forEach(one -> one.begins(gpu));
  }

  @Override
  public void ends(GpuUuid gpu) {
    all.forEach(one -> one.ends(gpu));
  }

  @Override
  public void happened(DriverEvent event) {
    all.forEach(one -> one.happened(event));
  }

  @Override
  public void isHeard(GpuUuid gpu) {
    all.forEach(one -> one.isHeard(gpu));
  }

  @Override
  public void refused(GpuUuid gpu, String why) {
    all.forEach(one -> one.refused(gpu, why));
  }
}
