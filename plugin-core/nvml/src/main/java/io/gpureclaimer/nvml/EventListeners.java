package io.gpureclaimer.nvml;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.List;

/**
 * Passes each event on to several listeners.
 *
 * @param all in the order in which they are notified
 */
public record EventListeners(List<EventWatch.Listener> all) implements EventWatch.Listener {
  public EventListeners {
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
