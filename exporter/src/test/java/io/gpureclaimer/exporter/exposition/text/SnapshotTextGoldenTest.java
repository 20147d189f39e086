package io.gpureclaimer.exporter.exposition.text;

import static io.gpureclaimer.exporter.exposition.TestSamples.FIRST;
import static io.gpureclaimer.exporter.exposition.TestSamples.NOON;
import static io.gpureclaimer.exporter.exposition.TestSamples.SECOND;
import static io.gpureclaimer.exporter.exposition.TestSamples.TRAIN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.exposition.TestSamples;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rewrite the files with {@code ./mvnw test -Dgolden.update=true}, then read the diff. */
class SnapshotTextGoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final byte[] NO_OWN_METRICS = {};

  @Test
  void rendersTwoGpus_oneWithAPodAndOneWithoutPowerSensor() throws IOException {
    assertGolden("two-gpus.prom", TestSamples.twoGpus(), TestSamples.ledger());
  }

  @Test
  void escapesWhateverALabelSays() throws IOException {
    var odd = new Gpu(0, FIRST.uuid(), FIRST.pciBusId(), "NVIDIA \"H\\100\"\n80GB");
    var holder = new Holder("m\"l", "train\\0", "ma\nin", null);
    assertGolden(
        "escaping.prom",
        TestSamples.of(List.of(busy(odd)), Map.of(Entity.whole(odd.uuid()), List.of(holder))),
        List.of(new DeviceObservation(odd, holder, NOON, NOON, null)));
  }

  @Test
  void givesASharedDeviceToNoHolder_butWritesTheLedgerOfEachHolder() throws IOException {
    var other = new Holder("ml", "notebook-1", "main", "0f3c2b1a-0000-4000-8000-2");
    var sidecar = new Holder("ml", "train-0", "sidecar", TRAIN.uid());
    assertGolden(
        "shared.prom",
        TestSamples.of(
            List.of(busy(FIRST), busy(SECOND)),
            Map.of(
                Entity.whole(FIRST.uuid()),
                List.of(TRAIN, other),
                Entity.whole(SECOND.uuid()),
                List.of(TRAIN, sidecar))),
        List.of(
            new DeviceObservation(FIRST, TRAIN, NOON, NOON, NOON),
            new DeviceObservation(FIRST, other, NOON, NOON, null),
            new DeviceObservation(SECOND, TRAIN, NOON, NOON, NOON),
            new DeviceObservation(SECOND, sidecar, NOON, NOON, NOON)));
  }

  @Test
  void countsADeviceWithUnknownUuid_soThatItsPodIsIncomplete() {
    var snapshot =
        TestSamples.of(List.of(busy(FIRST)), Map.of(Entity.whole(FIRST.uuid()), List.of(TRAIN)))
            .withUnplaced(List.of(TRAIN));

    assertThat(rendered(snapshot))
        .contains("gpu_pod_device_count{hostname=\"node-a\",namespace=\"ml\",pod=\"train-0\",")
        .contains("pod_uid=\"" + TRAIN.uid() + "\"} 2\n");
  }

  @Test
  void keepsTheLedgerWhole_whenSomeDevicesOnlyAreSelected() {
    var all =
        TestSamples.of(
            List.of(using(FIRST), using(SECOND)),
            Map.of(Entity.whole(SECOND.uuid()), List.of(TRAIN)));
    var ledger = List.of(new DeviceObservation(SECOND, TRAIN, NOON, NOON, NOON));

    String text =
        new String(
            new SnapshotText(SeriesStyle.CLASSIC)
                .render(
                    all,
                    all.withGpus(List.of(using(FIRST))),
                    ClassicCounters.set(),
                    ledger,
                    NO_OWN_METRICS)
                .toByteArray(),
            UTF_8);

    assertThat(text.lines().filter(line -> line.startsWith("DCGM")))
        .isNotEmpty()
        .noneMatch(line -> line.contains(SECOND.uuid().value()));
    assertThat(text.lines().filter(line -> line.startsWith("gpu_pod_memory_used_bytes")))
        .singleElement()
        .asString()
        .contains(SECOND.uuid().value());
  }

  private static Answered using(Gpu gpu) {
    return new Answered(gpu, NOON, List.of(new Reading(DcgmField.DEV_FB_USED, 7)));
  }

  private static String rendered(Snapshot snapshot) {
    return new String(
        new SnapshotText(SeriesStyle.CLASSIC)
            .render(snapshot, ClassicCounters.set(), List.of(), NO_OWN_METRICS)
            .toByteArray(),
        UTF_8);
  }

  @Test
  void writesNothing_whenNoGpuAnswers() {
    var snapshot =
        TestSamples.of(
            List.of(
                new GpuSample.Lost(0, FIRST),
                new GpuSample.Hung(1, SECOND),
                new GpuSample.Failed(2, null, "it could not be identified")),
            Map.of());
    assertThat(
            new SnapshotText(SeriesStyle.CLASSIC)
                .render(snapshot, ClassicCounters.set(), List.of(), NO_OWN_METRICS)
                .toByteArray())
        .isEmpty();
  }

  @Test
  void writesTheSameBytes_whenTheBufferIsUsedAgain() {
    var renderer = new SnapshotText(SeriesStyle.CLASSIC);
    byte[] first =
        renderer
            .render(
                TestSamples.twoGpus(), ClassicCounters.set(), TestSamples.ledger(), NO_OWN_METRICS)
            .toByteArray();
    byte[] second =
        renderer
            .render(
                TestSamples.twoGpus(), ClassicCounters.set(), TestSamples.ledger(), NO_OWN_METRICS)
            .toByteArray();
    assertThat(second).isEqualTo(first);
  }

  private static Answered busy(Gpu gpu) {
    return new Answered(
        gpu,
        TestSamples.NOON,
        List.of(new Reading(DcgmField.DEV_GPU_UTIL, 97)),
        Set.of(),
        TestSamples.TEXTS,
        List.of());
  }

  private static void assertGolden(String file, Snapshot snapshot, List<DeviceObservation> ledger)
      throws IOException {
    String rendered =
        new String(
            new SnapshotText(SeriesStyle.CLASSIC)
                .render(snapshot, ClassicCounters.set(), ledger, NO_OWN_METRICS)
                .toByteArray(),
            UTF_8);
    Path golden = GOLDEN.resolve(file);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, rendered);
    }
    assertThat(rendered).isEqualTo(Files.readString(golden));
  }
}
