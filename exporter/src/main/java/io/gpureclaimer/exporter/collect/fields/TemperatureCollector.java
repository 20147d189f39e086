package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_TEMP;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.Set;

/** Temperature of the GPU; that of its memory is a field value. */
@Singleton
public final class TemperatureCollector implements Collector {
  @Override
  public String name() {
    return "temperature";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(DEV_GPU_TEMP);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    into.add(DEV_GPU_TEMP, device.nvml().gpuTemperatureCelsius(device.handle()), c -> c);
  }
}
