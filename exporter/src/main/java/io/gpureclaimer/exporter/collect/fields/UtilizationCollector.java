package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_MEM_COPY_UTIL;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.Set;

/** Shares of time in which kernels ran and in which memory was copied. */
@Singleton
public final class UtilizationCollector implements Collector {
  @Override
  public String name() {
    return "utilization";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(DEV_GPU_UTIL, DEV_MEM_COPY_UTIL);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    into.take(
        device.nvml().utilization(device.handle()),
        fields(),
        utilization -> {
          into.put(DEV_GPU_UTIL, utilization.gpuPercent());
          into.put(DEV_MEM_COPY_UTIL, utilization.memoryPercent());
        });
  }
}
