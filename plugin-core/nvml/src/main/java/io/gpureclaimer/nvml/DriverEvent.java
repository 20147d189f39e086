package io.gpureclaimer.nvml;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.OptionalInt;

/** An event of a GPU, as the driver reports it. */
public sealed interface DriverEvent {

  /** The GPU that it happened to. */
  GpuUuid gpu();

  /**
   * The driver reported an error of that code.
   *
   * @param instance the GPU instance that it is attributed to; absent if it is the whole GPU's
   */
  record Xid(GpuUuid gpu, int code, OptionalInt instance) implements DriverEvent {}

  /** An error in memory that was corrected. */
  record SingleBitError(GpuUuid gpu) implements DriverEvent {}

  /** An error in memory that could not be corrected. */
  record DoubleBitError(GpuUuid gpu) implements DriverEvent {}

  /** MIG was switched, or its instances are other ones now. */
  record MigChanged(GpuUuid gpu) implements DriverEvent {}
}
