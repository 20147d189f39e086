package io.gpureclaimer.reclaimer.faults;

import java.time.Duration;
import java.time.Instant;

/** That a workload was taken its GPUs, by whomever. */
record ReplayedAction(TracedPod workload, Instant at) {

  boolean onWorkWithin(Duration window) {
    return workload.worked(at.minus(window), at);
  }

  /** Whether the GPUs were needed again so soon. */
  boolean isRegretted(Duration within) {
    return !workload.nextWork(at).isAfter(at.plus(within));
  }

  /** How long the GPUs were free until they were needed again or the trace ended. */
  Duration freed() {
    Instant next = workload.nextWork(at);
    Instant until = next.isBefore(workload.to()) ? next : workload.to();
    return Duration.between(at, until).multipliedBy(workload.traces().size());
  }
}
