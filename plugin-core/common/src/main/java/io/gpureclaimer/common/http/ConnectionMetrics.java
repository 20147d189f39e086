package io.gpureclaimer.common.http;

import io.prometheus.client.Collector;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import java.util.List;

/** Metrics of a {@link ConnectionGuard}, for a program's own metrics. */
public final class ConnectionMetrics extends Collector {
  private final String prefix;
  private final ConnectionGuard guard;

  /**
   * @param prefix of the program, for example {@code gpu_exporter}
   */
  public ConnectionMetrics(String prefix, ConnectionGuard guard) {
    this.prefix = prefix;
    this.guard = guard;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var closed =
        new CounterMetricFamily(
            prefix + "_http_connections_closed_total",
            "HTTP connections closed by the server: limit (too many open) or "
                + "deadline (a request or response took too long).",
            List.of("reason"));
    closed.addMetric(List.of("limit"), (double) guard.closedAtLimit());
    closed.addMetric(List.of("deadline"), (double) guard.closedAtDeadline());
    return List.of(
        new GaugeMetricFamily(prefix + "_http_connections", "Open HTTP connections.", guard.open()),
        closed);
  }
}
