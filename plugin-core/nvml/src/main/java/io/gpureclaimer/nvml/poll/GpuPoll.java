package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.nvml.NvmlResult.FailedCall;
import io.gpureclaimer.nvml.NvmlReturn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Result of one poll of a node. */
public sealed interface GpuPoll<R> {

  /**
   * The driver was polled.
   *
   * @param libraryVersion of the driver's library; null if not reported
   * @param gpus in the driver's order
   * @param took duration of the poll
   */
  record Polled<R>(
      NodeInventory inventory,
      @Nullable String libraryVersion,
      List<GpuPollResult<R>> gpus,
      Duration took)
      implements GpuPoll<R> {
    public Polled {
      gpus = List.copyOf(gpus);
    }
  }

  /** There is no session; {@code reason} is one line for a human, {@code code} NVML's own word. */
  record DriverDown<R>(String reason, NvmlReturn code) implements GpuPoll<R> {}

  /**
   * Result for one GPU.
   *
   * @param gpu identity from this poll or an earlier one; null if unknown
   * @param read what the reader took; null if the GPU was not read, or did not respond
   * @param fault null if there is none
   * @param reason of the fault, for people; empty if there is none
   * @param failures those of the poller's own queries that failed
   */
  record GpuPollResult<R>(
      int index,
      @Nullable Gpu gpu,
      GpuReader.@Nullable Read<R> read,
      GpuStatus.@Nullable GpuFault fault,
      String reason,
      List<FailedCall> failures) {
    public GpuPollResult {
      failures = List.copyOf(failures);
    }
  }

  /**
   * Readings that a caller of a {@link GpuPoller} takes from each GPU. Runs on a driver thread; two
   * GPUs may be read at once, one GPU never by two threads.
   */
  interface GpuReader<R> {

    /**
     * Reads one GPU.
     *
     * @param layout its MIG instances
     * @param at start of its poll
     */
    Read<R> read(PolledGpu gpu, PolledGpu.Layout layout, Instant at);

    /**
     * Result of reading one GPU.
     *
     * @param value the readings
     * @param state whether the GPU responded
     * @param reason why it did not; empty if it did
     * @param instanceFailed whether a query of a MIG instance failed: its handle may be void
     */
    record Read<R>(R value, ResponseState state, String reason, boolean instanceFailed) {}

    /** Whether a GPU responds. */
    enum ResponseState {
      RESPONDING,
      LOST,
      /** All queries failed. */
      SILENT
    }
  }
}
