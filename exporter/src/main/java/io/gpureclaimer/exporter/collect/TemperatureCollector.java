package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_GPU_TEMP;
import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_MEMORY_TEMP;

import jakarta.inject.Singleton;

/** Temperatures of the GPU and of its memory. */
@Singleton
final class TemperatureCollector implements Collector {
  @Override
  public String name() {
    return "temperature";
  }

  @Override
  public void collect(Device device, Readings into) {
    into.add(DEV_MEMORY_TEMP, device.nvml().memoryTemperatureCelsius(device.handle()), c -> c);
    into.add(DEV_GPU_TEMP, device.nvml().gpuTemperatureCelsius(device.handle()), c -> c);
  }
}
