package io.gpureclaimer.nvml.poll;

/** Whether a GPU is divided by MIG, or can be. */
public enum MigMode {
  /** It cannot be: it is of an older make, or of a board without MIG. */
  INCAPABLE,
  /** It can be, and is whole. */
  OFF,
  /** It is divided, though it may have no instance yet. */
  ON
}
