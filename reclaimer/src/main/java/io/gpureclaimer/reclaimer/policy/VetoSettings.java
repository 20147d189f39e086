package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What spares a workload whose GPUs are idle. Nothing else that says so does.
 *
 * @param signals that are measured
 * @param heartbeats that are written by the workload, always in the same order
 */
public record VetoSettings(Set<Signal.SignalKind> signals, Set<ActivityAnnotation> heartbeats) {
  public VetoSettings {
    signals = Set.copyOf(signals);
    heartbeats =
        heartbeats.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(heartbeats));
  }

  /** Whether the remark is about an activity annotation that is not enabled. */
  boolean ignores(Remark remark) {
    return Arrays.stream(ActivityAnnotation.values())
        .filter(heartbeat -> !heartbeats.contains(heartbeat))
        .anyMatch(heartbeat -> heartbeat.key().name().equals(remark.key()));
  }

  /** An annotation by which a workload says when it last did something. */
  public enum ActivityAnnotation {
    /** Ours; the workload writes it, or who looks after it. */
    LAST_ACTIVITY("last-activity"),
    /** Kubeflow's, which asks a Notebook's kernels. */
    NOTEBOOK("notebook");

    private final String code;

    ActivityAnnotation(String code) {
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
}
