package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_MEM_CLOCK;
import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_SM_CLOCK;

import jakarta.inject.Singleton;

/** Clocks of the streaming multiprocessors and of the memory. */
@Singleton
final class ClockCollector implements Collector {
  @Override
  public String name() {
    return "clock";
  }

  @Override
  public void collect(Device device, Readings into) {
    into.add(DEV_SM_CLOCK, device.nvml().smClockMegahertz(device.handle()), mhz -> mhz);
    into.add(DEV_MEM_CLOCK, device.nvml().memoryClockMegahertz(device.handle()), mhz -> mhz);
  }
}
