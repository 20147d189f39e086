package io.gpureclaimer.reclaimer.audit;

import jakarta.inject.Singleton;

/** Tells every cycle to the log and to the metrics. Confined to the thread of the cycle. */
@Singleton
public class Auditor {
  private final CycleMetrics metrics;
  private final TransitionLog transitions;

  Auditor(CycleMetrics metrics, TransitionLog transitions) {
    this.metrics = metrics;
    this.transitions = transitions;
  }

  /** One finished cycle. */
  public void record(CycleReport report) {
    metrics.record(report);
    transitions.record(report);
  }

  /** A cycle that could not look at the cluster. */
  public void clusterUnreachable() {
    metrics.clusterUnreachable();
  }
}
