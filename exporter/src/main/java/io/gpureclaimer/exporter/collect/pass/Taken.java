package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.PassReport.CollectorReport;
import io.gpureclaimer.nvml.NvmlReturn;
import java.util.List;
import java.util.Map;

/**
 * What one GPU's turn brought.
 *
 * @param sample for the snapshot
 * @param failures codes of the answers that failed
 * @param reports by collector
 */
record Taken(GpuSample sample, List<NvmlReturn> failures, Map<String, CollectorReport> reports) {
  Taken {
    failures = List.copyOf(failures);
    reports = Map.copyOf(reports);
  }

  /** A turn in which nothing was asked. */
  static Taken nothing(GpuSample sample) {
    return new Taken(sample, List.of(), Map.of());
  }
}
