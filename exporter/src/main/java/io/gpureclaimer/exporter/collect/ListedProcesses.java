package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.nvml.GpuProcess;
import io.gpureclaimer.nvml.ProcessUtilization;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The processes on a GPU, as the driver lists them.
 *
 * @param running those that have it open; one may stand there several times
 * @param lately how busy those were that did anything; empty if the driver does not report it
 */
public record ListedProcesses(List<GpuProcess> running, Optional<List<ProcessUtilization>> lately) {
  public ListedProcesses {
    running = List.copyOf(running);
    lately = lately.map(List::copyOf);
  }

  /** The same of a GPU that is not divided: some libraries then say instance 0, not none. */
  public ListedProcesses onTheWholeGpu() {
    return new ListedProcesses(
        running.stream()
            .map(one -> new GpuProcess(one.pid(), one.usedBytes(), OptionalInt.empty()))
            .toList(),
        lately);
  }
}
