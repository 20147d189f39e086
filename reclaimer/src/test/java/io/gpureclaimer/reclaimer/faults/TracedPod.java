package io.gpureclaimer.reclaimer.faults;

import java.time.Instant;
import java.util.List;

/**
 * A pod of the replay, with one trace for each of its GPUs.
 *
 * @param name of the pod
 */
record TracedPod(String name, List<DutyCycleTrace> traces, ActualWork life) {

  static TracedPod of(List<DutyCycleTrace> traces) {
    return new TracedPod(
        traces.getFirst().pod(),
        traces,
        new ActualWork(traces.stream().map(trace -> trace.life().gpus().getFirst()).toList()));
  }

  Instant from() {
    return traces.stream().map(DutyCycleTrace::from).min(Instant::compareTo).orElseThrow();
  }

  Instant to() {
    return traces.stream().map(DutyCycleTrace::to).max(Instant::compareTo).orElseThrow();
  }

  boolean worked(Instant after, Instant until) {
    return traces.stream().anyMatch(trace -> trace.worked(after, until));
  }

  Instant nextWork(Instant after) {
    return traces.stream()
        .map(trace -> trace.nextWork(after))
        .min(Instant::compareTo)
        .orElseThrow();
  }

  @Override
  public String toString() {
    return name;
  }
}
