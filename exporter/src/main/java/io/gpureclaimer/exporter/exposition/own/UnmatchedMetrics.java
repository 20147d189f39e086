package io.gpureclaimer.exporter.exposition.own;

import io.gpureclaimer.exporter.counters.CounterSet.UnservedRow;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Selections that match nothing; none before the first pass. Written by the sampling job, read by
 * any thread.
 */
final class UnmatchedMetrics extends Collector {
  private final AtomicReference<@Nullable UnmatchedConfig> last = new AtomicReference<>();

  void show(UnmatchedConfig unmatched) {
    last.set(unmatched);
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var unmatched = last.get();
    if (unmatched == null) {
      return List.of();
    }
    var selectors =
        new GaugeMetricFamily(
            "gpu_exporter_selection_unmatched",
            "1 for each selection that matches nothing on this node: of GPUs or MIG instances by"
                + " --devices, or of a row by the counters file.",
            List.of("kind", "selector"));
    unmatched.gpus().ifPresent(text -> selectors.addMetric(List.of("gpu", text), 1));
    unmatched.instances().ifPresent(text -> selectors.addMetric(List.of("instance", text), 1));
    unmatched.rows().stream()
        .map(UnservedRow::name)
        .distinct()
        .forEach(name -> selectors.addMetric(List.of("row", name), 1));
    return List.of(
        new GaugeMetricFamily(
            "gpu_exporter_unserved_rows",
            "Rows of the counters file in force that are not served.",
            unmatched.rows().size()),
        selectors);
  }
}
