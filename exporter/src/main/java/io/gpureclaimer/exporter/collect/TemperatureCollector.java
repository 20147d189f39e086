package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_GPU_TEMP;
import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_MEMORY_TEMP;

import io.gpureclaimer.core.vocabulary.DcgmField;
import jakarta.inject.Singleton;
import java.util.Set;

/** Temperatures of the GPU and of its memory. */
@Singleton
final class TemperatureCollector implements Collector {
  @Override
  public String name() {
    return "temperature";
  }

  @Override
  public Set<DcgmField> tells() {
    return Set.of(DEV_MEMORY_TEMP, DEV_GPU_TEMP);
  }

  @Override
  public void collect(Device device, Readings into) {
    if (into.wants(DEV_MEMORY_TEMP)) {
      into.add(DEV_MEMORY_TEMP, device.nvml().memoryTemperatureCelsius(device.handle()), c -> c);
    }
    if (into.wants(DEV_GPU_TEMP)) {
      into.add(DEV_GPU_TEMP, device.nvml().gpuTemperatureCelsius(device.handle()), c -> c);
    }
  }
}
