package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.activity.Observation.Blind;
import io.gpureclaimer.reclaimer.activity.Observation.Seen;
import io.gpureclaimer.reclaimer.activity.PodActivity;
import io.gpureclaimer.reclaimer.activity.Signal;
import io.gpureclaimer.reclaimer.activity.Signal.Kind;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what says that a workload works though its GPUs do not.
 *
 * @param heeded the signals that count
 */
record Vetoes(Set<Kind> heeded) {
  Vetoes {
    heeded = Set.copyOf(heeded);
  }

  /** The verdict that spares the workload. */
  Optional<Verdict> of(Workload workload, WorkloadClass workloadClass, Observation observation) {
    return switch (observation) {
      case Blind _ -> Optional.empty();
      case Seen seen ->
          workload.pods().stream()
              .flatMap(
                  pod ->
                      seen.pod(pod.ref().uid()).stream()
                          .flatMap(activity -> work(activity, workloadClass).stream())
                          .map(signal -> new Verdict.Vetoed(workload, pod.ref(), signal)))
              .<Verdict>map(verdict -> verdict)
              .findFirst();
    };
  }

  private Optional<Signal> work(PodActivity activity, WorkloadClass workloadClass) {
    return activity.signals().stream()
        .filter(signal -> heeded.contains(signal.kind()))
        .filter(signal -> !isNoiseFor(workloadClass, signal.kind()))
        .filter(Signal::saysWork)
        .findFirst();
  }

  /** Servers that wait for requests spin on the CPU; their requests are counted. */
  private static boolean isNoiseFor(WorkloadClass workloadClass, Kind kind) {
    return workloadClass == WorkloadClass.SERVING && kind == Kind.CPU;
  }
}
