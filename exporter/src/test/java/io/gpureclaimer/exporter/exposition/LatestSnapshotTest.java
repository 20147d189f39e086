package io.gpureclaimer.exporter.exposition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.program.Readiness.NotReady;
import io.gpureclaimer.common.program.Readiness.Ready;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.StrictOpenMetrics;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.counters.CounterSet.UnservedRow;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.own.UnmatchedConfig;
import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.PassReport.CallError;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LatestSnapshotTest {
  private static final Duration STALE_AFTER = Duration.ofSeconds(5);

  private final AtomicLong nanos = new AtomicLong(-1_000_000_000_000L);
  private final LatestSnapshot latest =
      new LatestSnapshot(
          new OwnMetrics("1", "25", TestSamples.noXids()),
          STALE_AFTER,
          SeriesStyle.CLASSIC,
          nanos::get);

  @Test
  void servesOwnMetricsOnly_whenNothingWasPublished() {
    assertThat(scraped()).contains("gpu_exporter_build_info").doesNotContain("DCGM_FI_");
    assertThat(latest.readiness()).isEqualTo(new NotReady("no sampling pass has finished yet"));
  }

  @Test
  void servesDevicesAndLedger_whenFresh() {
    publish(TestSamples.twoGpus());
    advance(STALE_AFTER.minus(TestSamples.twoGpus().report().took()));

    assertThat(scraped())
        .contains("DCGM_FI_DEV_GPU_UTIL", "gpu_pod_observed_since", "gpu_exporter_driver_up 1.0");
    assertThat(latest.readiness()).isEqualTo(new Ready());
  }

  @Test
  void servesOwnMetricsOnly_whenTheSnapshotIsTooOld() {
    publish(TestSamples.twoGpus());
    advance(STALE_AFTER);

    assertThat(scraped())
        .contains("gpu_exporter_last_pass_timestamp_seconds")
        .doesNotContain("DCGM_FI_", "gpu_pod_");
    assertThat(latest.readiness()).isEqualTo(new NotReady("the last sampling pass began 5 s ago"));
  }

  @Test
  void isNotReady_whenTheDriverIsDown() {
    publish(
        new Snapshot(
            TestSamples.NOON,
            "node-a",
            new DriverState.Down("driver not loaded"),
            List.of(),
            Map.of(),
            PassReport.NOTHING_ASKED));

    assertThat(scraped()).contains("gpu_exporter_driver_up 0.0");
    assertThat(latest.readiness()).isEqualTo(new NotReady("the driver is down: driver not loaded"));
  }

  @Test
  void isNotReady_whenNoGpuAnswers() {
    publish(TestSamples.of(List.of(new Lost(0, null), new Hung(1, TestSamples.SECOND)), Map.of()));

    assertThat(latest.readiness()).isEqualTo(new NotReady("0 of 2 GPUs responding"));
  }

  @Test
  void isNotReady_whenUtilizationOrMemoryFailsOfAllGpus() {
    var failures = Map.of(new CallError(0, "nvmlDeviceGetUtilizationRates", "timeout"), 1);
    var report = new PassReport(Duration.ZERO, failures, Map.of());
    publish(
        new Snapshot(
            TestSamples.NOON,
            "node-a",
            new DriverState.Up("570"),
            List.of(
                failing(TestSamples.FIRST, DcgmField.DEV_GPU_UTIL),
                new Lost(1, TestSamples.SECOND)),
            Map.of(),
            report));
    assertThat(latest.readiness())
        .isEqualTo(
            new NotReady(
                "utilization or memory cannot be read of any GPU: nvmlDeviceGetUtilizationRates"
                    + " (timeout)"));

    publish(
        TestSamples.of(
            List.of(
                failing(TestSamples.FIRST, DcgmField.DEV_GPU_UTIL),
                failing(TestSamples.SECOND, DcgmField.DEV_POWER_USAGE)),
            Map.of()));
    assertThat(latest.readiness()).isEqualTo(new Ready());
  }

  private static Answered failing(Gpu gpu, DcgmField field) {
    return new Answered(gpu, TestSamples.NOON, List.of(), Set.of(field));
  }

  @Test
  void isReady_whenTheNodeHasNoGpus() {
    publish(TestSamples.of(List.of(), Map.of()));

    assertThat(latest.readiness()).isEqualTo(new Ready());
  }

  @Test
  void handsOutTheSameBytes_howeverManyScrapersCome() {
    publish(TestSamples.twoGpus());

    assertThat(latest.scrape()).isSameAs(latest.scrape());
    assertThat(latest.scrape().gzipped()).isSameAs(latest.scrape().gzipped());
  }

  @Test
  void reportsWhatIsSelectedAndMatchesNothing() {
    publish(TestSamples.twoGpus());
    assertThat(scraped())
        .contains("gpu_exporter_unserved_rows 0.0")
        .doesNotContain("gpu_exporter_selection_unmatched{");

    var unmatched =
        new UnmatchedConfig(
            Optional.of("g:4,7-9"),
            Optional.of("i"),
            Optional.of("why"),
            List.of(new UnservedRow(1, "a", "why"), new UnservedRow(null, "b", "why")));
    latest.publish(
        TestSamples.twoGpus(),
        TestSamples.twoGpus(),
        ClassicCounters.set(),
        unmatched,
        List.of(),
        new NotConfigured());

    assertThat(scraped())
        .contains("gpu_exporter_unserved_rows 2.0")
        .contains("gpu_exporter_selection_unmatched{kind=\"gpu\",selector=\"g:4,7-9\",} 1.0")
        .contains("gpu_exporter_selection_unmatched{kind=\"instance\",selector=\"i\",} 1.0")
        .contains("gpu_exporter_selection_unmatched{kind=\"row\",selector=\"a\",} 1.0")
        .contains("gpu_exporter_selection_unmatched{kind=\"row\",selector=\"b\",} 1.0");
    assertThat(latest.last().orElseThrow().unmatched()).isEqualTo(unmatched);
  }

  @Test
  void hasOpenMetricsToo_forThoseWhoAskForIt() {
    assertThat(StrictOpenMetrics.parse(latest.openMetrics().text())).isNotEmpty();
    publish(TestSamples.twoGpus());

    assertThat(latest.openMetrics().gzipped()).isSameAs(latest.openMetrics().gzipped());
    assertThat(new String(latest.openMetrics().text(), UTF_8))
        .contains("# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION unknown\n")
        .contains("# TYPE gpu_exporter_passes counter\n")
        .endsWith("\n# EOF\n");
    assertThat(scraped()).contains("# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION counter\n");
  }

  @Test
  void writesNothingDown_withoutARequest() {
    publish(TestSamples.twoGpus());
    publish(TestSamples.twoGpus());

    assertThat(scraped()).contains("gpu_exporter_render_duration_seconds_count 0.0");
  }

  @Test
  void writesOnce_inWhateverFormsItIsAskedFor() {
    publish(TestSamples.twoGpus());
    latest.scrape().gzipped();
    latest.scrape().text();
    publish(TestSamples.twoGpus());

    assertThat(scraped()).contains("gpu_exporter_render_duration_seconds_count 1.0");
  }

  @Test
  void saysWhatItsOwnPassSaw_whenANewerOneIsWrittenFirst() {
    publish(TestSamples.twoGpus());
    var older = latest.scrape();
    older.gzipped();
    publish(TestSamples.of(List.of(), Map.of()));
    assertThat(scraped()).doesNotContain("DCGM_FI_");

    assertThat(new String(older.text(), UTF_8)).contains("DCGM_FI_DEV_GPU_UTIL");
  }

  private void publish(Snapshot snapshot) {
    latest.publish(snapshot, ClassicCounters.set(), TestSamples.ledger(), new NotConfigured());
  }

  private void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  private String scraped() {
    return new String(latest.scrape().text(), UTF_8);
  }
}
