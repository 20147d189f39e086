package io.gpureclaimer.exporter.http.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.program.Readiness.NotReady;
import io.gpureclaimer.common.program.Readiness.Ready;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.health.XidTexts;
import io.gpureclaimer.exporter.activity.Observation;
import io.gpureclaimer.exporter.attribution.PodRegister.Watch;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.attribution.SourceState.Contact;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.counters.Counter;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.counters.CountersWatch.Standing;
import io.gpureclaimer.exporter.counters.Skipped;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Load;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatusPageTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Gpu GPU =
      new Gpu(0, new GpuUuid("GPU-a"), "00000000:19:00.0", "NVIDIA H100");
  private static final Gpu OTHER =
      new Gpu(1, new GpuUuid("GPU-b"), "00000000:2B:00.0", "NVIDIA H100");
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final Holder POD = new Holder("ml", "train-0", "main", "uid-1");
  private static final Standing GOOD =
      new Standing("counters file c.csv", NOON.minusSeconds(90), Optional.empty());
  private static final Counter UTILIZATION = gauge(DcgmField.DEV_GPU_UTIL);

  private final XidLog xids = new XidLog(WINDOW);
  private Optional<String> whyUnheard = Optional.empty();

  @Test
  void saysWhyItIsEmpty_beforeTheFirstPass() {
    assertThat(
            StatusPage.of(
                new NotReady("no sampling pass has finished yet"),
                Optional.empty(),
                GOOD,
                new XidLog(WINDOW),
                Optional.empty(),
                _ -> Optional.empty(),
                Optional.empty()))
        .contains("<p>Not ready: no sampling pass has finished yet.</p>");
  }

  @Test
  void showsEachDevice_withWhatItSaysAndNothingItDoesNot() {
    var instance = new MigInstance(GPU.uuid(), 9, "1g.10gb", List.of());
    var answered =
        new Answered(
            GPU,
            NOON,
            List.of(new Reading(DcgmField.DEV_GPU_UTIL, 97)),
            Set.of(),
            Map.of(),
            List.of(
                new InstanceSample(
                    instance, List.of(new Reading(DcgmField.DEV_FB_USED, 842)), Set.of())));

    assertThat(page(List.of(answered, new Lost(1, null)), Map.of(), List.of(), new NotConfigured()))
        .contains(
            "<td>0 GPU-a</td><td>NVIDIA H100</td><td class=\"good\">answers</td>"
                + "<td>97 %</td><td>–</td>",
            "<td>0 instance 9</td><td>1g.10gb</td><td class=\"good\">answers</td><td>–</td>"
                + "<td>0.8 GiB</td>",
            "<td>1</td><td>–</td><td class=\"bad\">lost: it has fallen off the bus</td>");
  }

  @Test
  void saysAtOnceThatAGpuDoesNotAnswer() {
    assertThat(
            page(
                List.of(new Answered(GPU, NOON, List.of()), new Lost(1, null)),
                Map.of(),
                List.of(),
                new NotConfigured()))
        .contains("<p>Ready. Of 2 GPUs, 1 does not answer.</p>");
    assertThat(
            page(
                List.of(new Answered(GPU, NOON, List.of())),
                Map.of(),
                List.of(),
                new NotConfigured()))
        .contains("<p>Ready.</p>");
  }

  @Test
  void showsTheLastXid_ofAGpuThatIsLostToo() {
    xids.begin(GPU.uuid());
    xids.begin(OTHER.uuid());
    xids.add(OTHER.uuid(), 79, NOON.minusSeconds(150));
    var unheard = new Gpu(2, new GpuUuid("GPU-c"), "00000000:3D:00.0", "NVIDIA H100");

    assertThat(
            page(
                List.of(
                    new Answered(GPU, NOON, List.of()),
                    new Lost(1, OTHER),
                    new Answered(unheard, NOON, List.of())),
                Map.of(),
                List.of(),
                new NotConfigured()))
        .contains(
            "<td>0 GPU-a</td><td>NVIDIA H100</td><td class=\"good\">answers</td>"
                + "<td>–</td><td>–</td><td>–</td><td>–</td><td>none</td>",
            "<td>1 GPU-b</td><td>NVIDIA H100</td>"
                + "<td class=\"bad\">lost: it has fallen off the bus</td>"
                + "<td>–</td><td>–</td><td>–</td><td>–</td>"
                + "<td>79, 2 min 30 s ago: "
                + XidTexts.of(79)
                + "</td>",
            "<td>2 GPU-c</td><td>NVIDIA H100</td><td class=\"good\">answers</td>"
                + "<td>–</td><td>–</td><td>–</td><td>–</td><td>–</td>");
  }

  @Test
  void listsHoldersInTheOrderOfTheDevices_andUnderTheirNames() {
    var away = new GpuUuid("GPU-0");
    var holders =
        Map.of(
            Entity.whole(away), List.of(POD),
            Entity.whole(OTHER.uuid()), List.of(POD),
            Entity.instance(GPU.uuid(), 10), List.of(POD),
            Entity.instance(GPU.uuid(), 7), List.of(POD));

    assertThat(
            page(
                List.of(new Answered(GPU, NOON, List.of()), new Lost(1, OTHER)),
                holders,
                List.of(),
                new NotConfigured()))
        .containsSubsequence(
            "<td>0 instance 7</td><td>ml/train-0</td>",
            "<td>0 instance 10</td><td>ml/train-0</td>",
            "<td>1 GPU-b</td><td>ml/train-0</td>",
            "<td>GPU-0</td><td>ml/train-0</td>");
  }

  @Test
  void showsWhoHoldsWhat_andSinceWhenTheyAreIdle() {
    var holders = Map.of(Entity.whole(GPU.uuid()), List.of(POD));
    var since = NOON.minus(Duration.ofHours(3));

    assertThat(
            page(
                List.of(),
                holders,
                List.of(new Observation(GPU, POD, since, NOON, since.plusSeconds(60))),
                new NotConfigured()))
        .contains(
            "<td>GPU-a</td><td>ml/train-0</td><td>main</td><td>2 h 59 min ago</td>"
                + "<td>3 h 0 min</td>");
    assertThat(page(List.of(), holders, List.of(), new NotConfigured()))
        .contains("<td>ml/train-0</td><td>main</td><td>not observed</td><td>–</td>");
  }

  @Test
  void saysWhyARowIsNotServed() {
    var answered =
        new Answered(
            GPU,
            NOON,
            List.of(new Reading(DcgmField.DEV_GPU_UTIL, 0)),
            Set.of(DcgmField.DEV_POWER_USAGE));

    assertThat(page(List.of(answered), Map.of(), List.of(), new NotConfigured()))
        .contains(
            "<td>line 7: DCGM_FI_DEV_NVSWITCH_TEMP</td><td>belongs to an NVSwitch</td>",
            "<td>DCGM_FI_DEV_POWER_USAGE</td><td>the driver failed to tell it</td>",
            "<td>DCGM_FI_PROF_SM_ACTIVE</td><td>no device of this node tells it; it is read through"
                + " NVML's GPM, on Hopper and newer, if the driver permits it</td>")
        .doesNotContain("<td>DCGM_FI_DEV_GPU_UTIL</td>");
  }

  @Test
  void saysSinceWhenTheCountersAreInForce_andWhyANewerFileIsNot() {
    assertThat(page(List.of(), Map.of(), List.of(), new NotConfigured()))
        .contains(
            "<td>counters</td><td class=\"good\">in force</td>"
                + "<td>counters file c.csv, in force for 1 min 30 s</td>");

    var refused = new Standing("counters file c.csv", NOON, Optional.of("is refused: line 3 …"));
    assertThat(page(List.of(), Map.of(), List.of(), new NotConfigured(), refused, Optional.empty()))
        .contains(
            "<td>counters</td><td class=\"bad\">refused</td><td>counters file c.csv, in force for"
                + " 0 s; the newest is refused: line 3 …</td>");
  }

  @Test
  void saysWhyThereIsNoLedger() {
    assertThat(
            page(
                List.of(),
                Map.of(),
                List.of(),
                new NotConfigured(),
                GOOD,
                Optional.of("it is read too seldom")))
        .contains("<td>ledger</td><td class=\"bad\">not kept</td><td>it is read too seldom</td>");
  }

  @Test
  void saysOfWhichGpusTheDriverRefusesWhat_andWhatIsNotKnownForThat() {
    whyUnheard = Optional.of("not supported");
    var refused = new Load.Failed("no permission");

    assertThat(
            page(
                List.of(with(GPU, refused), with(OTHER, refused), new Lost(2, null)),
                Map.of(),
                List.of(),
                new NotConfigured()))
        .contains(
            "<td>utilization samples</td><td class=\"bad\">refused</td><td>of GPU 0, 1: no"
                + " permission; where they are a sign of work, its holders are not observed</td>",
            "<td>XIDs</td><td class=\"bad\">refused</td><td>of GPU 0, 1: not supported; none is"
                + " heard, and none is said to be 0</td>");
    whyUnheard = Optional.empty();
    assertThat(
            page(List.of(with(GPU, new Load.Unknown())), Map.of(), List.of(), new NotConfigured()))
        .doesNotContain("refused");
  }

  private static Answered with(Gpu gpu, Load load) {
    return new Answered(gpu, NOON, List.of(), Set.of(), Map.of(), List.of(), load, Map.of());
  }

  @Test
  void saysHowTheKubeletIs() {
    var silent =
        new OfKubelet(
            new Contact.Silent("/run/<b>: nobody listens"),
            Map.of(),
            OptionalInt.empty(),
            new Watch.Broken("403"));

    assertThat(page(List.of(), Map.of(), List.of(), silent))
        .contains(
            "<td>kubelet</td><td class=\"bad\">silent</td>"
                + "<td>/run/&lt;b&gt;: nobody listens</td>",
            "<td>API server, pods</td><td class=\"bad\">broken</td><td>403</td>");
  }

  private String page(
      List<GpuSample> gpus,
      Map<Entity, List<Holder>> holders,
      List<Observation> ledger,
      SourceState source) {
    return page(gpus, holders, ledger, source, GOOD, Optional.empty());
  }

  private String page(
      List<GpuSample> gpus,
      Map<Entity, List<Holder>> holders,
      List<Observation> ledger,
      SourceState source,
      Standing counters,
      Optional<String> whyNoLedger) {
    var snapshot =
        new Snapshot(
            NOON, "node-a", new DriverState.Up("570"), gpus, holders, PassReport.NOTHING_ASKED);
    var set =
        new CounterSet(
            List.of(UTILIZATION, gauge(DcgmField.DEV_POWER_USAGE), gauge(DcgmField.PROF_SM_ACTIVE)),
            List.of(),
            List.of(new Skipped(7, "DCGM_FI_DEV_NVSWITCH_TEMP", "belongs to an NVSwitch")));
    return StatusPage.of(
        new Ready(),
        Optional.of(new Shown(snapshot, set, ledger, source, Duration.ofSeconds(1), false)),
        counters,
        xids,
        whyNoLedger,
        _ -> whyUnheard,
        Optional.empty());
  }

  private static Counter gauge(DcgmField field) {
    return new Counter(field, field.metricName(), MetricType.GAUGE, "help");
  }
}
