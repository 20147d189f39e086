package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.plan.Fragmentation;
import io.gpureclaimer.reclaimer.plan.Fragmentation.Pool;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.GaugeMetricFamily;
import java.util.List;
import java.util.stream.Stream;

/** Gauges of free GPUs and MIG devices, and of those that pods cannot use. */
final class FragmentationGauges {
  /** The shape of FGD's mean over all pods of a pool. */
  static final String MIX = "mix";

  private static final String POOL = "pool";
  private static final String PROFILE = "profile";
  private static final String SHAPE = "shape";

  private final GaugeMetricFamily free;
  private final GaugeMetricFamily stranded;
  private final GaugeMetricFamily ratio;

  private FragmentationGauges(
      GaugeMetricFamily free, GaugeMetricFamily stranded, GaugeMetricFamily ratio) {
    this.free = free;
    this.stranded = stranded;
    this.ratio = ratio;
  }

  static List<MetricFamilySamples> of(ClusterView cluster) {
    FragmentationGauges gpus = ofGpus();
    FragmentationGauges instances = ofMigDevices();
    for (Pool pool : Fragmentation.of(cluster).pools()) {
      if (pool.resource().equals(ResourceNames.GPU)) {
        gpus.add(pool, List.of(pool.name()));
      } else {
        String profile = pool.resource().substring(ResourceNames.MIG_PREFIX.length());
        instances.add(pool, List.of(pool.name(), profile));
      }
    }
    return List.of(
        gpus.free, gpus.stranded, gpus.ratio, instances.free, instances.stranded, instances.ratio);
  }

  private static FragmentationGauges ofGpus() {
    return new FragmentationGauges(
        new GaugeMetricFamily(
            "gpu_cluster_free_gpus",
            "Whole GPUs that no pod holds, on nodes that accept pods; pool is the node label"
                + " nvidia.com/gpu.product, or the product name in ResourceSlices.",
            List.of(POOL)),
        new GaugeMetricFamily(
            "gpu_cluster_stranded_gpus",
            "Free GPUs on nodes where a pod with this number of GPUs (shape) does not fit, because"
                + " of GPUs, CPU, memory or another resource. Mean over the pool's running and"
                + " pending pods of this shape.",
            List.of(POOL, SHAPE)),
        new GaugeMetricFamily(
            "gpu_cluster_fragmentation_ratio",
            "Share of the free GPUs that a pod of this shape cannot use, because their node lacks"
                + " GPUs, CPU, memory or another resource. Mean over such pods; shape mix is the"
                + " mean over all of the pool's (FGD). Absent while no GPU is free.",
            List.of(POOL, SHAPE)));
  }

  private static FragmentationGauges ofMigDevices() {
    return new FragmentationGauges(
        new GaugeMetricFamily(
            "gpu_cluster_free_mig_devices",
            "MIG devices of this profile that no pod holds, on nodes that accept pods, with either"
                + " MIG strategy or by claims; pool as in gpu_cluster_free_gpus, without the profile"
                + " that the strategy single appends.",
            List.of(POOL, PROFILE)),
        new GaugeMetricFamily(
            "gpu_cluster_stranded_mig_devices",
            "Free MIG devices of this profile on nodes where a pod with this number of them (shape)"
                + " does not fit. Mean over the pool's running and pending pods of this shape.",
            List.of(POOL, PROFILE, SHAPE)),
        new GaugeMetricFamily(
            "gpu_cluster_mig_fragmentation_ratio",
            "Share of the free MIG devices of this profile that a pod of this shape cannot use."
                + " Mean over such pods; shape mix is the mean over all that request the profile"
                + " (FGD). Absent while none is free.",
            List.of(POOL, PROFILE, SHAPE)));
  }

  /** Where no device is free, there is no share of the free ones. */
  private void add(Pool pool, List<String> labels) {
    free.addMetric(labels, pool.free());
    pool.stranded()
        .forEach(
            (shape, devices) -> {
              List<String> shaped = with(labels, Integer.toString(shape));
              stranded.addMetric(shaped, devices);
              if (pool.free() > 0) {
                ratio.addMetric(shaped, devices / pool.free());
              }
            });
    if (pool.free() > 0 && !pool.pods().isEmpty()) {
      ratio.addMetric(with(labels, MIX), pool.fragmented() / pool.free());
    }
  }

  private static List<String> with(List<String> labels, String shape) {
    return Stream.concat(labels.stream(), Stream.of(shape)).toList();
  }
}
