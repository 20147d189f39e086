package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.plan.Fragmentation;
import io.gpureclaimer.reclaimer.plan.Fragmentation.Pool;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.GaugeMetricFamily;
import java.util.List;

/** Gauges of free GPUs, and of those that pods cannot use. */
final class FragmentationGauges {
  /** The shape of FGD's mean over all pods of a pool. */
  static final String MIX = "mix";

  private FragmentationGauges() {}

  /** Where no GPU is free, there is no share of the free ones. */
  static List<MetricFamilySamples> of(ClusterView cluster) {
    var free =
        new GaugeMetricFamily(
            "gpu_cluster_free_gpus",
            "Whole GPUs that no pod holds, on nodes that accept pods; pool is the node label"
                + " nvidia.com/gpu.product.",
            List.of("pool"));
    var stranded =
        new GaugeMetricFamily(
            "gpu_cluster_stranded_gpus",
            "Free GPUs on nodes where a pod with this number of GPUs (shape) does not fit, because"
                + " of GPUs, CPU, memory or another resource. Mean over the pool's running and"
                + " pending pods of this shape.",
            List.of("pool", "shape"));
    var ratio =
        new GaugeMetricFamily(
            "gpu_cluster_fragmentation_ratio",
            "Share of the free GPUs that a pod of this shape cannot use, because their node lacks"
                + " GPUs, CPU, memory or another resource. Mean over such pods; shape mix is the"
                + " mean over all of the pool's (FGD). Absent while no GPU is free.",
            List.of("pool", "shape"));
    for (Pool pool : Fragmentation.of(cluster).pools()) {
      free.addMetric(List.of(pool.name()), pool.free());
      pool.stranded()
          .forEach(
              (shape, gpus) -> {
                List<String> labels = List.of(pool.name(), Integer.toString(shape));
                stranded.addMetric(labels, gpus);
                if (pool.free() > 0) {
                  ratio.addMetric(labels, (double) gpus / pool.free());
                }
              });
      if (pool.free() > 0 && !pool.pods().isEmpty()) {
        ratio.addMetric(List.of(pool.name(), MIX), pool.fragmented() / pool.free());
      }
    }
    return List.of(free, stranded, ratio);
  }
}
