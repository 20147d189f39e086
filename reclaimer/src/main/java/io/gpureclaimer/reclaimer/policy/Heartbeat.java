package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import java.time.Instant;

/** An annotation by which a workload says when it last did something. */
public enum Heartbeat {
  /** Ours; the workload writes it, or who looks after it. */
  LAST_ACTIVITY("last-activity"),
  /** Kubeflow's, which asks a Notebook's kernels. */
  NOTEBOOK("notebook");

  private final String code;

  Heartbeat(String code) {
    this.code = code;
  }

  /** The stable name, for configuration and JSON. */
  public String code() {
    return code;
  }

  /** Where it is written. */
  PolicyKey<Instant> key() {
    return switch (this) {
      case LAST_ACTIVITY -> PolicyKeys.LAST_ACTIVITY;
      case NOTEBOOK -> PolicyKeys.NOTEBOOK_LAST_ACTIVITY;
    };
  }
}
