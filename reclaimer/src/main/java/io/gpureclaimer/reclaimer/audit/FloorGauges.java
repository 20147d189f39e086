package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.plan.FloorStatus;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.GaugeMetricFamily;
import java.util.List;

/** Gauges of GPUs that are to be kept free. */
final class FloorGauges {
  private static final List<String> POOL = List.of("pool");

  private FloorGauges() {}

  /** Where it is unknown how many are free, there is no number. */
  static List<MetricFamilySamples> of(List<FloorStatus> floors) {
    var asked =
        new GaugeMetricFamily(
            "gpu_reclaimer_keep_free_gpus",
            "GPUs that plan.keep-free asks to keep free; pool is the model as written there.",
            POOL);
    var free =
        new GaugeMetricFamily(
            "gpu_reclaimer_keep_free_available_gpus",
            "Free GPUs of the pool that no pending pod gets, in whole blocks. Absent while unknown.",
            POOL);
    var nodes =
        new GaugeMetricFamily(
            "gpu_reclaimer_keep_free_nodes",
            "Nodes whose GPUs are of the pool; 0 if plan.keep-free matches no node.",
            POOL);
    for (FloorStatus each : floors) {
      List<String> pool = List.of(each.floor().model());
      asked.addMetric(pool, each.floor().allGpus());
      each.freeGpus().ifPresent(gpus -> free.addMetric(pool, gpus));
      nodes.addMetric(pool, each.nodes());
    }
    return List.of(asked, free, nodes);
  }
}
