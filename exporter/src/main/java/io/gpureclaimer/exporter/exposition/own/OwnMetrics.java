package io.gpureclaimer.exporter.exposition.own;

import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.GaugeMetricFamily;
import io.prometheus.client.Summary;
import io.prometheus.client.exporter.common.TextFormat;
import io.prometheus.client.hotspot.StandardExports;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of the agent itself: {@code gpu_exporter_*} and {@code process_*}. Fed by the sampling
 * job, written on whatever thread asks.
 */
public final class OwnMetrics {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final CollectorRegistry registry = new CollectorRegistry();
  private final XidMetrics xids;
  private final LastPass lastPass = new LastPass().register(registry);
  private final UnmatchedMetrics unmatched = new UnmatchedMetrics().register(registry);
  private final WebState web = new WebState().register(registry);
  private final Summary duration =
      Summary.build("gpu_exporter_pass_duration_seconds", "Duration of sampling passes.")
          .register(registry);
  private final Counter passes =
      Counter.build(
              "gpu_exporter_passes_total",
              "Sampling passes: ok, partial (a GPU did not respond) or driver_down.")
          .labelNames("outcome")
          .register(registry);
  private final Gauge lastPassTime =
      Gauge.build(
              "gpu_exporter_last_pass_timestamp_seconds",
              "Time at which the last sampling pass began.")
          .register(registry);
  private final Counter nvmlErrors =
      Counter.build(
              "gpu_exporter_nvml_errors_total",
              "Failed calls of the driver, by GPU, function and return code.")
          .labelNames("gpu", "call", "code")
          .register(registry);
  private final Counter collectorFailures =
      Counter.build(
              "gpu_exporter_collector_failures_total",
              "Driver calls of a collector that failed, and collections that were aborted.")
          .labelNames("collector")
          .register(registry);
  private final Counter collectorSeconds =
      Counter.build("gpu_exporter_collector_seconds_total", "Time spent in a collector.")
          .labelNames("collector")
          .register(registry);

  private final Summary rendering =
      Summary.build("gpu_exporter_render_duration_seconds", "Time spent rendering scrapes.")
          .register(registry);
  private final Gauge sources =
      Gauge.build(
              "gpu_exporter_source_last_success_timestamp_seconds",
              "Time of the last success of a source; absent for a source without one.")
          .labelNames("source")
          .register(registry);
  private final Gauge reloadSuccessful =
      Gauge.build(
              "gpu_exporter_config_last_reload_successful",
              "1 if the last check of the counters file succeeded, 0 if an older "
                  + "version is in use.")
          .register(registry);
  private final Gauge reloadTime =
      Gauge.build(
              "gpu_exporter_config_last_reload_success_timestamp_seconds",
              "Time at which a counters file last took effect.")
          .register(registry);

  /**
   * @param version of the agent
   * @param java version of the JVM it runs on
   * @param xids the GPUs' errors, which are reported independently of the passes
   */
  public OwnMetrics(String version, String java, XidMetrics xids) {
    this.xids = xids.register(registry);
    Gauge.build("gpu_exporter_build_info", "Constant 1, labeled with the version.")
        .labelNames("version", "java")
        .register(registry)
        .labels(version, java)
        .set(1);
    for (PassOutcome outcome : PassOutcome.values()) {
      passes.labels(outcome.label);
    }
    new StandardExports().register(registry);
  }

  /** Adds the metrics of another part of the agent. */
  public void add(Collector part) {
    part.register(registry);
  }

  /** Enters one pass. */
  public void observe(Snapshot snapshot, SourceState source) {
    lastPass.show(snapshot, source);
    xids.show(snapshot);
    DataSource.reporting(snapshot, source).forEach(heard -> heard(heard, snapshot.at()));
    passes.labels(PassOutcome.of(snapshot).label).inc();
    lastPassTime.set(snapshot.at().toEpochMilli() / MILLIS_PER_SECOND);
    var report = snapshot.report();
    duration.observe(report.took().toNanos() / NANOS_PER_SECOND);
    report
        .errors()
        .forEach(
            (error, count) ->
                nvmlErrors
                    .labels(Integer.toString(error.gpu()), error.call(), error.code())
                    .inc(count));
    report
        .collectors()
        .forEach(
            (name, collector) -> {
              collectorFailures.labels(name).inc(collector.failures());
              collectorSeconds.labels(name).inc(collector.took().toNanos() / NANOS_PER_SECOND);
            });
  }

  /** Records that a source has reported something. */
  public void heard(DataSource source, Instant at) {
    sources.labels(source.label()).set(at.toEpochMilli() / MILLIS_PER_SECOND);
  }

  /** Enters how long it took to write down a snapshot. */
  public void rendered(Duration took) {
    rendering.observe(took.toNanos() / NANOS_PER_SECOND);
  }

  /** A counters file has taken effect. */
  public void reloaded(Instant at) {
    reloadSuccessful.set(1);
    reloadTime.set(at.toEpochMilli() / MILLIS_PER_SECOND);
  }

  /** Enters what is selected and does not exist. */
  public void unmatched(UnmatchedConfig now) {
    unmatched.show(now);
  }

  /** A counters file was bad, and the one before stays in force. */
  public void reloadRefused() {
    reloadSuccessful.set(0);
  }

  /** Enters whether the web configuration, if there is one, is in force as it stands. */
  public void observeWebConfiguration(boolean inForce) {
    web.last.set(inForce);
  }

  /** In the text format, without the time stamps of creation that simpleclient adds. */
  public byte[] text() {
    return written(TextFormat::write004).getBytes(StandardCharsets.UTF_8);
  }

  /** The same in OpenMetrics, as a part of an answer: without its end. */
  public byte[] openMetrics() {
    String whole = written(TextFormat::writeOpenMetrics100);
    return whole.substring(0, whole.lastIndexOf("# EOF")).getBytes(StandardCharsets.UTF_8);
  }

  private interface Format {
    void write(Writer out, Enumeration<MetricFamilySamples> families) throws IOException;
  }

  private String written(Format format) {
    var text = new StringWriter(8 * 1024);
    try {
      format.write(text, registry.filteredMetricFamilySamples(name -> !name.endsWith("_created")));
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot be written to", e);
    }
    return text.toString();
  }

  private enum PassOutcome {
    OK("ok"),
    PARTIAL("partial"),
    DRIVER_DOWN("driver_down");

    private final String label;

    PassOutcome(String label) {
      this.label = label;
    }

    static PassOutcome of(Snapshot snapshot) {
      return switch (snapshot.driver()) {
        case DriverState.Down _ -> DRIVER_DOWN;
        case DriverState.Up _ ->
            snapshot.gpus().stream().allMatch(OwnMetrics::answered) ? OK : PARTIAL;
      };
    }
  }

  public static boolean answered(GpuSample sample) {
    return sample instanceof Answered;
  }

  /** Whether the current web configuration is in force; no sample if there is none. */
  private static final class WebState extends Collector {
    private final AtomicReference<@Nullable Boolean> last = new AtomicReference<>();

    @Override
    public List<MetricFamilySamples> collect() {
      var inForce = last.get();
      return inForce == null
          ? List.of()
          : List.of(
              new GaugeMetricFamily(
                  "gpu_exporter_web_config_last_reload_successful",
                  "1 if the last read of the web configuration succeeded.",
                  inForce ? 1 : 0));
    }
  }
}
