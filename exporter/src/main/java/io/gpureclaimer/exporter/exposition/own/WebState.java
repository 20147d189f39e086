package io.gpureclaimer.exporter.exposition.own;

import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether the web configuration is in force as it stands; nothing if there is none. */
final class WebState extends Collector {
  private final AtomicReference<@Nullable Boolean> last = new AtomicReference<>();

  void show(boolean inForce) {
    last.set(inForce);
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var inForce = last.get();
    return inForce == null
        ? List.of()
        : List.of(
            new GaugeMetricFamily(
                "gpu_exporter_web_config_last_reload_successful",
                "1 if the web configuration could be understood when it was last read.",
                inForce ? 1 : 0));
  }
}
