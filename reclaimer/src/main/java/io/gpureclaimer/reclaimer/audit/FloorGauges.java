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
            "GPUs, or other devices, that plan.keep-free asks to keep free; pool is the model as"
                + " written there, with the resource of other devices.",
            POOL);
    var free =
        new GaugeMetricFamily(
            "gpu_reclaimer_keep_free_available_gpus",
            "Free GPUs or devices of the pool that no pending pod gets, in whole blocks, on nodes"
                + " where a usual pod fits. Absent while unknown.",
            POOL);
    var stranded =
        new GaugeMetricFamily(
            "gpu_reclaimer_keep_free_stranded_gpus",
            "Free GPUs or devices of the pool, in whole blocks, whose node has less CPU, memory or"
                + " another resource left than a usual pod requests. They do not count. Absent while"
                + " unknown.",
            POOL);
    var nodes =
        new GaugeMetricFamily(
            "gpu_reclaimer_keep_free_nodes",
            "Nodes whose GPUs or devices are of the pool; 0 if plan.keep-free matches no node.",
            POOL);
    for (FloorStatus each : floors) {
      List<String> pool = List.of(each.floor().pool());
      int devices = each.floor().devices();
      asked.addMetric(pool, each.floor().allDevices());
      each.free()
          .ifPresent(
              blocks -> {
                free.addMetric(pool, blocks.count() * devices);
                stranded.addMetric(pool, blocks.stranded() * devices);
              });
      nodes.addMetric(pool, each.nodes());
    }
    return List.of(asked, free, stranded, nodes);
  }
}
