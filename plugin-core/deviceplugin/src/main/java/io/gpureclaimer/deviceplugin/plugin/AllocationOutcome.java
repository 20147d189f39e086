package io.gpureclaimer.deviceplugin.plugin;

/** Result of an {@code Allocate} request. */
public enum AllocationOutcome {
  /** The container got what it needs. */
  GRANTED,
  /** The allocator gave a reason why not; the pod fails with it. */
  REFUSED,
  /** The request was invalid, or failed unexpectedly; the pod fails. */
  FAILED
}
