package io.gpureclaimer.exporter.devices;

/** On which series the values of a GPU stand that MIG has divided. */
public enum MigValuePlacement {
  /**
   * Each value once, so that sums over series are right: a GPU does not repeat values of its
   * instances.
   */
  ONCE,
  /** As dcgm-exporter has it: the GPU's again on each of its instances, which stand for it. */
  REPEATED
}
