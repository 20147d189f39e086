package io.gpureclaimer.exporter.exposition;

import static io.gpureclaimer.common.program.ReferencePage.code;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.http.ConnectionGuard;
import io.gpureclaimer.common.http.ConnectionLimits;
import io.gpureclaimer.common.http.ConnectionMetrics;
import io.gpureclaimer.common.program.ReferencePage;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.exporter.StrictScrape;
import io.gpureclaimer.exporter.StrictScrape.Family;
import io.gpureclaimer.exporter.StrictScrape.ScrapedSample;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.attribution.SourceState.KubeletContact;
import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.collect.AllCollectors;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.counters.Counter;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.own.UnmatchedConfig;
import io.gpureclaimer.exporter.exposition.own.XidMetrics;
import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.exposition.text.SnapshotText;
import io.gpureclaimer.exporter.sample.ContainerUsage;
import io.gpureclaimer.exporter.sample.ContainerUse;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.Jobs;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page with all metrics that the exporter can serve. */
class MetricsReferenceTest {
  /** A part of a summary, not a metric. */
  private static final Set<String> PARTS = Set.of("quantile");

  private static final SourceState KUBELET =
      new OfKubelet(
          new KubeletContact.Answering(),
          Map.of("unavailable", 1L),
          OptionalInt.of(0),
          new WatchState.Synced(),
          new WatchState.Synced(),
          new WatchState.Synced());

  @Test
  void reportsAllMetrics() {
    var page =
        new ReferencePage(
            "Metrics of the exporter",
            "What the driver does not say is absent, never zero. Which of the fields of DCGM are"
                + " served, under which type, the counters file says. More about them:"
                + " [exporter/README.md](../../exporter/README.md).");
    page.section("Ledger, XIDs and the agent itself")
        .table(List.of("metric", "type", "labels", "meaning"), own())
        .section("Fields of DCGM")
        .paragraph(
            "Fields that the exporter can serve, by their classic names. Labels: `gpu`, `UUID`,"
                + " `pci_bus_id`, `device`, `modelName`, `hostname`; for a MIG instance"
                + " `GPU_I_PROFILE` and `GPU_I_ID`; for an allocated device `container`,"
                + " `namespace`, `pod`, `pod_uid`. Fields of single NVLinks have `nvlink`, `gpu`,"
                + " `gpu_uuid`, `pci_bus_id`, `device`, `model_name` instead of the "
                + "first five. The help text is that of the built-in counters file; "
                + "the others can be"
                + " asked for in a counters file of your own.")
        .table(
            List.of("field", "later name", "name in 1.x files", "source", "served by default"),
            fields());

    page.assertIsCommittedAs("exporter-metrics.md");
  }

  private static List<List<String>> own() {
    var rows = new TreeMap<String, List<String>>();
    Stream.of(scrape(KUBELET), scrape(new OfFile(true)))
        .flatMap(scrape -> StrictScrape.parse(scrape).stream())
        .filter(family -> !family.name().startsWith("DCGM_"))
        .forEach(family -> rows.putIfAbsent(family.name(), row(family)));
    return List.copyOf(rows.values());
  }

  private static List<String> row(Family family) {
    return List.of(code(family.name()), family.type(), labels(family), family.help());
  }

  private static String labels(Family family) {
    return family.samples().stream()
        .map(ScrapedSample::series)
        .flatMap(series -> series.labels().keySet().stream())
        .filter(label -> !PARTS.contains(label))
        .distinct()
        .sorted()
        .map(ReferencePage::code)
        .collect(joining(", "));
  }

  /** With everything in it that there can be. */
  private static byte[] scrape(SourceState source) {
    var xids = new XidLog(Duration.ofMinutes(5));
    xids.begin(TestSamples.FIRST.uuid());
    xids.add(TestSamples.FIRST.uuid(), 79, TestSamples.NOON);
    var own = new OwnMetrics("1.2.3", "25", new XidMetrics(xids, () -> TestSamples.NOON));
    own.observe(everything(), source);
    own.unmatched(
        new UnmatchedConfig(Optional.of("g:7"), Optional.empty(), Optional.of("why"), List.of()));
    own.observeWebConfiguration(true);
    own.add(new ConnectionMetrics("gpu_exporter", guard()));
    own.reloaded(TestSamples.NOON);
    return new SnapshotText(SeriesStyle.CLASSIC)
        .render(everything(), ClassicCounters.set(), ledger(), own.text())
        .toByteArray();
  }

  private static ConnectionGuard guard() {
    return new ConnectionGuard(
        new ConnectionLimits(1, 1, Duration.ZERO, Duration.ZERO), MonotonicClock.SYSTEM);
  }

  /** One who holds a whole GPU, and one who holds an instance. */
  private static List<DeviceObservation> ledger() {
    var whole = TestSamples.ledger().getFirst();
    var part = new MigInstance(TestSamples.SECOND.uuid(), 7, "1g.10gb", List.of());
    return List.of(
        whole,
        new DeviceObservation(
            TestSamples.SECOND,
            part,
            TestSamples.TRAIN,
            whole.since(),
            whole.until(),
            whole.seenActive(),
            Duration.ZERO));
  }

  private static Snapshot everything() {
    var use = new ContainerUse(TestSamples.TRAIN, 1L << 30, 12.5);
    var gpus = new ArrayList<>(TestSamples.twoGpus().gpus());
    var lost = new Gpu(2, new GpuUuid("GPU-lost"), "00000000:5D:00.0", "NVIDIA H100 80GB HBM3");
    gpus.add(new GpuSample.Lost(2, lost));
    return TestSamples.of(
            gpus,
            Map.of(
                Entity.whole(TestSamples.FIRST.uuid()),
                List.of(TestSamples.TRAIN),
                Entity.whole(lost.uuid()),
                List.of(TestSamples.TRAIN)))
        .withUses(
            new ContainerUsage.Known(Map.of(Entity.whole(TestSamples.FIRST.uuid()), List.of(use))))
        .withJobs(new Jobs(Map.of(), OptionalInt.of(0)));
  }

  private static List<List<String>> fields() {
    Set<DcgmField> reported = AllCollectors.fields();
    Map<DcgmField, Counter> served =
        ClassicCounters.set().counters().stream()
            .collect(toMap(Counter::field, counter -> counter, (first, _) -> first));
    return DcgmField.all().stream()
        .filter(reported::contains)
        .map(field -> field(field, served))
        .toList();
  }

  private static List<String> field(DcgmField field, Map<DcgmField, Counter> served) {
    Counter counter = served.get(field);
    return List.of(
        code(field.metricName()),
        code(field.newName().orElse("")),
        code(field.legacyName().orElse("")),
        field.source().reason(),
        counter == null
            ? labelOrNothing(field)
            : counter.type().name().toLowerCase(Locale.ROOT) + ": " + counter.help());
  }

  private static String labelOrNothing(DcgmField field) {
    return ClassicCounters.set().labels().stream().anyMatch(row -> row.field() == field)
        ? "label"
        : "";
  }
}
