package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory;
import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory.PodUtilization;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.List;
import java.util.Optional;

/**
 * Charts of the workloads of a namespace.
 *
 * @param utilization of its pods; empty where there is no Prometheus, or no namespace is chosen
 */
public record WorkloadCharts(Optional<PodUtilization> utilization) {
  /** Without charts. */
  public static final WorkloadCharts NONE = new WorkloadCharts(Optional.empty());

  /** The chart of a workload; empty if nothing can be known. */
  Optional<Sparkline> of(Workload workload) {
    return utilization.flatMap(
        found ->
            switch (found) {
              case PodUtilization.Known known -> Optional.of(of(workload, known));
              case PodUtilization.Unknown _ -> Optional.empty();
            });
  }

  private static Sparkline of(Workload workload, PodUtilization.Known known) {
    List<PodName> pods =
        workload.allPods().stream()
            .map(pod -> new PodName(pod.ref().namespace(), pod.ref().name()))
            .toList();
    return Sparkline.of(UtilizationHistory.highest(known, pods), known.from(), known.to());
  }

  /** Why there are no charts, in a sentence; empty if there are, or there are none to expect. */
  Optional<String> problem() {
    return utilization.flatMap(
        found ->
            switch (found) {
              case PodUtilization.Known _ -> Optional.empty();
              case PodUtilization.Unknown(String reason) ->
                  Optional.of("No charts of utilization: " + reason + ".");
            });
  }
}
