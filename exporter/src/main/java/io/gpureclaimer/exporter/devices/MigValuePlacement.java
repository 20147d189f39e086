package io.gpureclaimer.exporter.devices;

/** Series that have the values of a GPU in MIG mode. */
public enum MigValuePlacement {
  /**
   * Each value once, so that sums over series are right: a GPU does not repeat values of its
   * instances.
   */
  ONCE,
  /** As dcgm-exporter has it: the GPU's again on each of its instances, which stand for it. */
  REPEATED
}
