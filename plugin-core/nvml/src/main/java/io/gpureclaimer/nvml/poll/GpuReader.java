package io.gpureclaimer.nvml.poll;

import java.time.Instant;

/**
 * Readings that a caller of a {@link GpuPoller} takes from each GPU. Runs on a driver thread; two
 * GPUs may be read at once, one GPU never by two threads.
 */
public interface GpuReader<R> {

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
  record Read<R>(R value, State state, String reason, boolean instanceFailed) {}

  /** Whether a GPU responds. */
  enum State {
    RESPONDING,
    LOST,
    /** All queries failed. */
    SILENT
  }
}
