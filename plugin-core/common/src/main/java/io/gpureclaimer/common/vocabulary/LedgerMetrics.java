package io.gpureclaimer.common.vocabulary;

/** Series of the ledger of an agent. */
public final class LedgerMetrics {
  /** Unix time in seconds of the last activity seen; absent until some was. */
  public static final String LAST_ACTIVE = "gpu_pod_last_active_timestamp_seconds";

  /** Unix time in seconds since when this holder has been watched on this device without a gap. */
  public static final String OBSERVED_SINCE = "gpu_pod_observed_since_timestamp_seconds";

  /** Unix time in seconds of the last pass that watched this holder on this device. */
  public static final String OBSERVED_UNTIL = "gpu_pod_observed_until_timestamp_seconds";

  /** Seconds for which the device has worked within this observation; a counter. */
  public static final String BUSY = "gpu_pod_busy_seconds_total";

  /**
   * Unix time in seconds of the last pass in which a {@link BoardSignal} was above its limit or was
   * not known; the start of the observation if none was.
   */
  public static final String LAST_SIGNAL = "gpu_pod_last_signal_timestamp_seconds";

  /** The signal of a device of which none was above its limit. */
  public static final String NO_SIGNAL = "none";

  /** Bytes of the device's memory that the holder uses; absent where that cannot be known. */
  public static final String MEMORY_USED = "gpu_pod_memory_used_bytes";

  /** How many devices of one node a pod holds, observed or not. */
  public static final String DEVICE_COUNT = "gpu_pod_device_count";

  /** Share of time that this holder's processes had the multiprocessors, from 0 to 1. */
  public static final String SM_UTILIZATION = "gpu_pod_sm_utilization_ratio";

  private LedgerMetrics() {}
}
