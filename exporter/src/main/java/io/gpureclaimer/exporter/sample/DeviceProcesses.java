package io.gpureclaimer.exporter.sample;

import java.util.List;

/**
 * All processes on a device.
 *
 * @param running each once
 * @param tellsSm whether the driver tells of this device what share of time a process had; of an
 *     instance of MIG it does not
 */
public record DeviceProcesses(List<ProcessUse> running, boolean tellsSm) {
  public DeviceProcesses {
    running = List.copyOf(running);
  }
}
