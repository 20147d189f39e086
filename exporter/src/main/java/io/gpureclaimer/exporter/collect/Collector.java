package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.nvml.poll.PolledGpu;
import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.Set;

/** Asks one GPU one family of questions. Runs on the driver thread; two GPUs may take turns. */
public interface Collector {

  /** What the agent's own metrics call it. */
  String name();

  /** The fields that it can tell; it is not run when none of them is wanted. */
  Set<DcgmField> tells();

  /** Whether it is run in any case, for what it tells besides. */
  default boolean tellsMoreThanFields() {
    return false;
  }

  /** The fields that it makes its own of; they are asked for, and told, before its turn. */
  default Set<DcgmField> needs() {
    return Set.of();
  }

  /** Asks what is wanted, and enters what was answered. */
  void collect(PolledGpu device, Readings into);

  /**
   * As {@link #collect}, about a part of the GPU: what is the part's own, and nothing of the whole.
   */
  default void collectInstance(PolledGpu device, PolledGpu.Instance part, Readings into) {}
}
