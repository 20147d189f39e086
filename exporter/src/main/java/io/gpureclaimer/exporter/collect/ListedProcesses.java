package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.nvml.GpuProcess;
import io.gpureclaimer.core.nvml.ProcessUtilization;
import java.util.List;
import java.util.Optional;

/**
 * The processes on a GPU, as the driver lists them.
 *
 * @param running those that have it open; one may stand there several times
 * @param lately how busy those were that did anything; empty if the driver does not tell
 */
public record ListedProcesses(List<GpuProcess> running, Optional<List<ProcessUtilization>> lately) {
  public ListedProcesses {
    running = List.copyOf(running);
    lately = lately.map(List::copyOf);
  }
}
