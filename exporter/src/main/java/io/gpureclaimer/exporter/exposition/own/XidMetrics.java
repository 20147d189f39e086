package io.gpureclaimer.exporter.exposition.own;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.deviceplugin.health.XidHistory;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.prometheus.client.Collector;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * XIDs of every GPU that was ever polled, including lost ones. Fed by the sampling job, read by any
 * thread.
 */
public final class XidMetrics extends Collector {
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final List<String> GPU = List.of("gpu", "UUID", "hostname");

  private final XidLog xids;
  private final InstantSource clock;

  /** By UUID. */
  private final Map<String, SeenGpu> met = new ConcurrentSkipListMap<>();

  /**
   * A GPU of an earlier or the current pass.
   *
   * @param last the newest pass that saw it
   */
  private record SeenGpu(Gpu gpu, String hostname, Snapshot last) {
    List<String> labels() {
      return List.of(Integer.toString(gpu.index()), gpu.uuid().value(), hostname);
    }
  }

  /**
   * @param xids what was heard
   * @param clock the time of the scrape
   */
  public XidMetrics(XidLog xids, InstantSource clock) {
    this.xids = xids;
    this.clock = clock;
  }

  void show(Snapshot snapshot) {
    for (GpuSample sample : snapshot.gpus()) {
      sample
          .gpu()
          .ifPresent(
              gpu -> met.put(gpu.uuid().value(), new SeenGpu(gpu, snapshot.hostname(), snapshot)));
    }
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var all =
        new CounterMetricFamily(
            "gpu_xids",
            "XIDs of any code since the agent's start; 0 only while subscribed to "
                + "events of the GPU.",
            GPU);
    var byCode =
        new CounterMetricFamily(
            "gpu_xid_errors", "XIDs since the agent's start, by code.", List.of());
    var last =
        new GaugeMetricFamily(
            "gpu_last_xid_timestamp_seconds", "Time at which the last XID was received.", GPU);
    var listening =
        new GaugeMetricFamily(
            "gpu_exporter_xid_listening",
            "1 while subscribed to XID events of the GPU, otherwise 0.",
            GPU);
    var families = new ArrayList<MetricFamilySamples>(List.of(all, byCode, last, listening));
    for (SeenGpu one : met.values()) {
      boolean heard = xids.isListeningTo(one.gpu().uuid());
      listening.addMetric(one.labels(), heard ? 1 : 0);
      xids.of(one.gpu().uuid(), clock.instant())
          .filter(history -> heard || history.total() > 0)
          .ifPresent(history -> add(one, history, all, byCode, last));
    }
    families.removeIf(family -> family.samples.isEmpty());
    return families;
  }

  private static void add(
      SeenGpu one,
      XidHistory history,
      CounterMetricFamily all,
      CounterMetricFamily byCode,
      GaugeMetricFamily last) {
    var labels = one.labels();
    all.addMetric(labels, (double) history.total());
    new TreeMap<>(history.totals())
        .forEach(
            (code, count) -> {
              var withXid =
                  new GpuLabels()
                      .with("gpu", Integer.toString(one.gpu().index()))
                      .with("UUID", one.gpu().uuid().value())
                      .with("hostname", one.hostname())
                      .with("xid", Integer.toString(code))
                      .withModel(one.gpu())
                      .withHolder(one.gpu(), one.last());
              byCode.samples.add(withXid.sample(byCode.name + "_total", count.doubleValue()));
            });
    history
        .last()
        .ifPresent(xid -> last.addMetric(labels, xid.at().toEpochMilli() / MILLIS_PER_SECOND));
  }
}
