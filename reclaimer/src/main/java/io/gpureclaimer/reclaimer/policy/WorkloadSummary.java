package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.workload.Workload;

/**
 * A workload as people outside are told of it.
 *
 * @param kind {@code Pod}, {@code Group} or its owner's
 * @param gpus how many whole GPUs it occupies
 */
public record WorkloadSummary(String namespace, String kind, String name, String uid, int gpus) {

  /** This workload. */
  public static WorkloadSummary of(Workload workload) {
    return new WorkloadSummary(
        workload.namespace(),
        workload.kind(),
        workload.name(),
        workload.uid(),
        workload.gpusHeld());
  }

  @Override
  public String toString() {
    return kind + " " + namespace + "/" + name;
  }
}
