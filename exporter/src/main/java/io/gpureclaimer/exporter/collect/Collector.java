package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.util.Set;

/** Reads one group of fields. Runs on a driver thread; two GPUs may be read at once. */
public interface Collector {

  /** Name in the agent's own metrics. */
  String name();

  /** Fields that it can report; it does not run when none of them is wanted. */
  Set<DcgmField> fields();

  /** Whether it runs in any case, because more than /metrics depends on it. */
  default boolean alwaysRuns() {
    return false;
  }

  /** Fields that are read if its own are wanted, since it computes them from these. */
  default Set<DcgmField> inputs() {
    return Set.of();
  }

  /** Reads what is wanted, and enters the results. */
  void collect(PolledGpu gpu, Readings into);

  /** As {@link #collect} for a MIG instance: its own fields, and none of the whole GPU. */
  default void collectInstance(PolledGpu gpu, PolledGpu.Instance instance, Readings into) {}

  /**
   * Enters what is known of a GPU that does not respond, without a call of the driver; nothing by
   * default. Runs on the thread of the sampling job.
   */
  default void collectUnresponsive(GpuUuid gpu, GpuFault fault, Readings into) {}
}
