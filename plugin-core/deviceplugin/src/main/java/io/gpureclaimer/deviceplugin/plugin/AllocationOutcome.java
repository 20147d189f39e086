package io.gpureclaimer.deviceplugin.plugin;

/** What came of a request for devices. */
public enum AllocationOutcome {
  /** The container got what it needs. */
  GRANTED,
  /** The allocator gave a reason why not; the pod fails with it. */
  REFUSED,
  /** The request was invalid, or failed unexpectedly; the pod fails. */
  FAILED
}
