package io.gpureclaimer.exporter.sample;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Processes on a device.
 *
 * @param running each once
 * @param hasSm whether the driver reports the share of time of each process; it does not for a MIG
 *     instance
 */
public record DeviceProcesses(List<ProcessUse> running, boolean hasSm) {
  public DeviceProcesses {
    running = List.copyOf(running);
  }

  /**
   * Use of a device by one process.
   *
   * @param pid as the host counts
   * @param memoryBytes frame buffer that it holds; null if not reported
   * @param smPercent share of time on the multiprocessors, 0 for a process that did nothing; null
   *     if not reported
   */
  public record ProcessUse(long pid, @Nullable Long memoryBytes, @Nullable Double smPercent) {}
}
