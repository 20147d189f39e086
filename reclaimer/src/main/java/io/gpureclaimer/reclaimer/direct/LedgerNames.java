package io.gpureclaimer.reclaimer.direct;

/** The names that the agents' ledger is published under. */
final class LedgerNames {
  static final String LAST_ACTIVE = "gpu_pod_last_active_timestamp_seconds";
  static final String OBSERVED_SINCE = "gpu_pod_observed_since_timestamp_seconds";
  static final String OBSERVED_UNTIL = "gpu_pod_observed_until_timestamp_seconds";
  static final String UUID = "UUID";
  static final String POD_UID = "pod_uid";

  private LedgerNames() {}
}
