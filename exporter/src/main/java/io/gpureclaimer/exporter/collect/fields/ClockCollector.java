package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_MEM_CLOCK;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_SM_CLOCK;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.Set;

/** Clocks of the streaming multiprocessors and of the memory. */
@Singleton
public final class ClockCollector implements Collector {
  @Override
  public String name() {
    return "clock";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(DEV_SM_CLOCK, DEV_MEM_CLOCK);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    if (into.wants(DEV_SM_CLOCK)) {
      into.add(DEV_SM_CLOCK, device.nvml().smClockMegahertz(device.handle()), mhz -> mhz);
    }
    if (into.wants(DEV_MEM_CLOCK)) {
      into.add(DEV_MEM_CLOCK, device.nvml().memoryClockMegahertz(device.handle()), mhz -> mhz);
    }
  }
}
