package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a session knows of the processes on a GPU; see {@link Nvml}. Their pids are those of the
 * host; in a pid namespace of its own, a program gets none, or cannot find them.
 */
public final class ProcessReader {
  private final Driver driver;

  ProcessReader(Driver driver) {
    this.driver = driver;
  }

  /**
   * Lists the processes that have the GPU open, in whichever way: to compute, to compute through
   * MPS, or for graphics. Each once for each instance that it is in.
   *
   * <p><b>Meaning:</b> now. <b>Source:</b> {@code nvmlDeviceGetComputeRunningProcesses_v2}, {@code
   * nvmlDeviceGetMPSComputeRunningProcesses_v2} and {@code
   * nvmlDeviceGetGraphicsRunningProcesses_v2}, or {@code _v3} of each: its struct has had two
   * layouts, so it is asked only where no other is answered.
   *
   * @return {@link Unsupported} if none of the three is answered, {@link Failed} if any fails
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<List<GpuProcess>> running(GpuHandle gpu) {
    Set<GpuProcess> all = new LinkedHashSet<>();
    boolean supported = false;
    for (FallbackCalls<List<GpuProcess>> ways : ProcessQueries.RUNNING) {
      switch (driver.ask(ways, gpu)) {
        case Value<List<GpuProcess>>(var some) -> {
          supported = true;
          all.addAll(some);
        }
        case Unsupported<List<GpuProcess>> _ -> {}
        case Failed<List<GpuProcess>> failed -> {
          return failed;
        }
      }
    }
    return supported ? new Value<>(List.copyOf(all)) : new Unsupported<>();
  }

  /**
   * Reads how busy each process has kept the GPU.
   *
   * <p><b>Unit:</b> percent. <b>Meaning:</b> since {@code lastSeenMicros}, of the processes that
   * did anything. <b>Source:</b> {@code nvmlDeviceGetProcessUtilization}.
   *
   * @param lastSeenMicros the newest time stamp of an earlier answer; 0 for all that the driver has
   * @return an empty list if there is nothing new; {@link Unsupported} while MIG is on
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<List<ProcessUtilization>> utilization(GpuHandle gpu, long lastSeenMicros) {
    return NoNewSamples.ifNone(driver.ask(ProcessQueries.utilization(lastSeenMicros), gpu));
  }
}
