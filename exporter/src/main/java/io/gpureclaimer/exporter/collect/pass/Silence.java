package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.nvml.NvmlReturn;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says why a GPU told nothing. */
final class Silence {
  private Silence() {}

  static GpuSample of(int index, @Nullable Gpu known, Readings answers, String what) {
    if (answers.gpuIsLost()) {
      return new GpuSample.Lost(index, known);
    }
    String reasons =
        answers.failures().stream()
            .map(NvmlReturn::text)
            .distinct()
            .collect(Collectors.joining(", "));
    return new GpuSample.Failed(index, known, reasons.isEmpty() ? what : what + ": " + reasons);
  }
}
