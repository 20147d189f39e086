package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.util.List;

/** Whether this replica leads, asked at each scrape. */
final class LeaderGauge extends Collector {
  private final Leadership leadership;

  LeaderGauge(Leadership leadership) {
    this.leadership = leadership;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    return List.of(
        new GaugeMetricFamily(
            "gpu_reclaimer_leader",
            "Whether this replica is the one that acts.",
            leadership.isHeld() ? 1 : 0));
  }
}
