package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.vocabulary.DcgmField;
import java.util.Set;

/** Asks one GPU one family of questions. Runs on the driver thread; two GPUs may take turns. */
public interface Collector {

  /** What the agent's own metrics call it. */
  String name();

  /** The fields that it can tell; it is not run when none of them is wanted. */
  Set<DcgmField> tells();

  /** Asks what is wanted, and enters what was answered. */
  void collect(Device device, Readings into);
}
