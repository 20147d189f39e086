package io.gpureclaimer.exporter.http.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.program.Readiness.NotReady;
import io.gpureclaimer.common.program.Readiness.Ready;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.HealthWatch;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.health.XidTexts;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.attribution.SourceState.KubeletContact;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.collect.computed.GpuEvents;
import io.gpureclaimer.exporter.collect.computed.HealthCollector;
import io.gpureclaimer.exporter.counters.CounterSet.UnservedRow;
import io.gpureclaimer.exporter.counters.CountersWatch.CountersStatus;
import io.gpureclaimer.exporter.exposition.SnapshotView;
import io.gpureclaimer.exporter.exposition.own.UnmatchedConfig;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Failed;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.LastKnown;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.PolledGpu;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatusJsonTest {
  private static final StatusJson.AgentProgram PROGRAM =
      new StatusJson.AgentProgram("1.2.3", Duration.ofSeconds(90));
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Gpu GPU =
      new Gpu(0, new GpuUuid("GPU-a"), "00000000:19:00.0", "NVIDIA H100");
  private static final Gpu OTHER =
      new Gpu(1, new GpuUuid("GPU-b"), "00000000:2B:00.0", "NVIDIA H100");
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final Holder POD = new Holder("ml", "train-0", "main", "uid-1");
  private static final CountersStatus GOOD =
      new CountersStatus("counters file c.csv", NOON.minusSeconds(90), Optional.empty());
  private static final DriverState UP = new DriverState.Up("570");

  private final XidLog xids = new XidLog(WINDOW);
  private Optional<String> whyUnheard = Optional.empty();

  @Test
  void reportsWhyItIsNotReady_beforeTheFirstPass() {
    var json =
        new StatusJson(xids, GOOD, Optional.empty(), _ -> Optional.empty())
            .of(
                PROGRAM,
                new NotReady("no sampling pass has finished yet"),
                Optional.empty(),
                Optional.empty());

    assertThat(json)
        .isEqualTo(
            """
            {
              "version" : "1.2.3",
              "uptimeSeconds" : 90,
              "ready" : false,
              "reason" : "no sampling pass has finished yet"
            }
            """);
  }

  @Test
  void reportsEachDevice_withoutMembersForWhatIsNotKnown() {
    var instance = new MigInstance(GPU.uuid(), 9, "1g.10gb", List.of());
    var answered =
        new Answered(
            GPU,
            NOON,
            List.of(
                new Reading(DcgmField.DEV_GPU_UTIL, 97),
                new Reading(DcgmField.DEV_POWER_USAGE, 0),
                health(HealthWatch.MEM, 0, "DCGM_FR_OK")),
            Set.of(),
            Map.of(),
            List.of(
                new InstanceSample(
                    instance,
                    List.of(
                        new Reading(DcgmField.PROF_GR_ENGINE_ACTIVE, 0.421),
                        new Reading(DcgmField.DEV_FB_USED, 842)),
                    Set.of())));

    var status =
        status(
            List.of(answered, new Lost(1, null), new Hung(2, null), new Failed(3, null, "code 9")),
            Map.of(),
            List.of(),
            new NotConfigured());

    assertThat(array(status, "devices"))
        .containsExactly(
            "{'gpu':0,'uuid':'GPU-a','busId':'00000000:19:00.0','model':'NVIDIA H100',"
                + "'state':'responding','utilizationPercent':97,'powerWatts':0,"
                + "'health':'healthy','xidsSubscribed':false}",
            "{'gpu':0,'instance':9,'model':'1g.10gb','state':'responding',"
                + "'utilizationPercent':42,'memoryUsedMib':842}",
            "{'gpu':1,'state':'lost','reason':'fell off the bus'}",
            "{'gpu':2,'state':'hung','reason':'a driver call has not returned'}",
            "{'gpu':3,'state':'failed','reason':'code 9'}");
  }

  @Test
  void countsRespondingGpus_andNoneWhileTheDriverIsDown() {
    var oneLost = status(List.of(with(GPU, new UtilizationSamples.Unknown()), new Lost(1, null)));
    assertThat(oneLost.path("gpus").toString()).isEqualTo("2");
    assertThat(oneLost.path("gpusResponding").toString()).isEqualTo("1");

    var down =
        sampled(new DriverState.Down("not loaded"), List.of(), Map.of(), new NotConfigured());
    assertThat(statusOf(down, GOOD, Optional.empty()).has("gpus")).isFalse();
    assertThat(array(statusOf(down, GOOD, Optional.empty()), "components"))
        .contains("{'name':'driver','status':'problem','state':'down','message':'not loaded'}");
  }

  @Test
  void aGpuWithDoubleBitErrorsIsFailing() {
    var errors = new Reading(DcgmField.DEV_ECC_DBE_VOL_TOTAL, 2);
    var total = new Reading(DcgmField.DEV_FB_TOTAL, 81559);
    var status =
        status(
            List.of(
                new Answered(
                    GPU,
                    NOON,
                    List.of(
                        errors,
                        total,
                        health(HealthWatch.MEM, 20, "DCGM_FR_VOLATILE_DBE_DETECTED"),
                        health(HealthWatch.POWER, 0, "DCGM_FR_OK"))),
                new Answered(
                    OTHER,
                    NOON,
                    List.of(
                        new Reading(DcgmField.DEV_ECC_DBE_VOL_TOTAL, 0),
                        health(HealthWatch.MEM, 0, "DCGM_FR_OK")))));

    assertThat(array(status, "devices"))
        .satisfiesExactly(
            failing ->
                assertThat(failing)
                    .contains("'state':'responding','memoryTotalMib':81559,'doubleBitErrors':2,")
                    .contains("'health':'failing','healthIssues':['MEM: DCGM_FR_VOLATILE_DBE_DET")
                    .contains("'busId':'" + GPU.pciBusId() + "'"),
            healthy -> assertThat(healthy).contains("'doubleBitErrors':0,'health':'healthy'"));
  }

  @Test
  void showsTheHealthOfALostGpu() {
    var known =
        new LastKnown(List.of(health(HealthWatch.ALL, 20, "DCGM_FR_FALLEN_OFF_BUS")), Map.of());

    assertThat(array(status(List.of(new Lost(1, null, known))), "devices"))
        .containsExactly(
            "{'gpu':1,'state':'lost','reason':'fell off the bus','health':'failing',"
                + "'healthIssues':['ALL: DCGM_FR_FALLEN_OFF_BUS']}");
  }

  /** The page once judged by the readings of one pass. */
  @Test
  void showsAFindingThatOnlyGrowthShows() {
    var time = new ManualTime();
    var driver =
        new SimulatedDriver(Profile.named("t4x4").orElseThrow(), "a", () -> Script.IDLE, time);
    var nvml = Nvml.open(driver);
    if (!(nvml.handle(0) instanceof Value<GpuHandle>(var handle))) {
      throw new AssertionError("no GPU 0");
    }
    var device = new PolledGpu(nvml, handle, GPU);
    var health = new HealthCollector(new GpuEvents(xids, time), time);
    var powerViolation = DcgmField.of(240);
    var samples = new ArrayList<GpuSample>();
    for (long micros : new long[] {100, 101}) {
      var readings = new Readings(Set.of(powerViolation, DcgmField.EXP_GPU_HEALTH_STATUS));
      readings.put(powerViolation, micros);
      health.collect(device, readings);
      samples.add(new Answered(GPU, NOON, readings.taken()));
      time.advance(Duration.ofSeconds(10));
    }

    assertThat(array(status(samples), "devices"))
        .satisfiesExactly(
            before -> assertThat(before).contains("'health':'healthy'"),
            after ->
                assertThat(after)
                    .contains(
                        "'health':'warning','healthIssues':['POWER:"
                            + " DCGM_FR_CLOCKS_EVENT_POWER']"));
    nvml.close();
  }

  private static Reading health(HealthWatch watch, int status, String code) {
    return new Reading(
        DcgmField.EXP_GPU_HEALTH_STATUS,
        status,
        List.of(new Label("health_error_code", code), new Label("health_watch", watch.name())));
  }

  @Test
  void reportsTheLastXid_alsoOfALostGpu() {
    xids.begin(GPU.uuid());
    xids.begin(OTHER.uuid());
    xids.add(OTHER.uuid(), 79, NOON.minusSeconds(150));
    var unheard = new Gpu(2, new GpuUuid("GPU-c"), "00000000:3D:00.0", "NVIDIA H100");

    var status =
        status(
            List.of(
                new Answered(GPU, NOON, List.of()),
                new Lost(1, OTHER),
                new Answered(unheard, NOON, List.of())));

    assertThat(array(status, "devices"))
        .containsExactly(
            "{'gpu':0,'uuid':'GPU-a','busId':'00000000:19:00.0','model':'NVIDIA H100',"
                + "'state':'responding','xidsSubscribed':true}",
            "{'gpu':1,'uuid':'GPU-b','busId':'00000000:2B:00.0','model':'NVIDIA H100','state':'lost',"
                + "'reason':'fell off the bus','xidsSubscribed':true,'lastXid':{'code':79,"
                + "'at':'2026-11-21T11:57:30Z','description':'"
                + XidTexts.of(79)
                + "'}}",
            "{'gpu':2,'uuid':'GPU-c','busId':'00000000:3D:00.0','model':'NVIDIA H100','state':'responding',"
                + "'xidsSubscribed':false}");
  }

  @Test
  void listsAllocationsInTheOrderOfTheDevices() {
    var away = new GpuUuid("GPU-0");
    var holders =
        Map.of(
            Entity.whole(away), List.of(POD),
            Entity.whole(OTHER.uuid()), List.of(POD),
            Entity.instance(GPU.uuid(), 10), List.of(POD),
            Entity.instance(GPU.uuid(), 7), List.of(POD));

    var status =
        status(
            List.of(new Answered(GPU, NOON, List.of()), new Lost(1, OTHER)),
            holders,
            List.of(),
            new NotConfigured());

    String pod = ",'namespace':'ml','pod':'train-0','container':'main'}";
    assertThat(array(status, "allocations"))
        .containsExactly(
            "{'gpu':0,'uuid':'GPU-a','instance':7" + pod,
            "{'gpu':0,'uuid':'GPU-a','instance':10" + pod,
            "{'gpu':1,'uuid':'GPU-b'" + pod,
            "{'uuid':'GPU-0'" + pod);
  }

  @Test
  void reportsHowLongAnAllocationIsObserved_andWhenItWasLastActive() {
    var holders = Map.of(Entity.whole(GPU.uuid()), List.of(POD));
    var since = NOON.minus(Duration.ofHours(3));

    var status =
        status(
            List.of(),
            holders,
            List.of(new DeviceObservation(GPU, POD, since, NOON, since.plusSeconds(60))),
            new NotConfigured());

    assertThat(array(status, "allocations"))
        .containsExactly(
            "{'uuid':'GPU-a','namespace':'ml','pod':'train-0','container':'main',"
                + "'observedSince':'2026-11-21T09:00:00Z','observedUntil':'2026-11-21T12:00:00Z',"
                + "'lastActive':'2026-11-21T09:01:00Z'}");
  }

  @Test
  void reportsSelectionsThatMatchNothing() {
    var unmatched =
        new UnmatchedConfig(
            Optional.of("g:7"),
            Optional.empty(),
            Optional.of("--devices: GPU 7 is selected and not there"),
            List.of(
                new UnservedRow(7, "DCGM_FI_DEV_NVSWITCH_TEMP", "belongs to an NVSwitch"),
                new UnservedRow(null, "DCGM_FI_PROF_SM_ACTIVE", "no device reports it")));
    var other = sampled(UP, List.of(), Map.of(), new NotConfigured());
    var status =
        statusOf(
            new SnapshotView(
                other.snapshot(), unmatched, List.of(), other.source(), other.age(), false),
            GOOD,
            Optional.empty());

    assertThat(array(status, "unservedRows"))
        .containsExactly(
            "{'line':7,'name':'DCGM_FI_DEV_NVSWITCH_TEMP','reason':'belongs to an NVSwitch'}",
            "{'name':'DCGM_FI_PROF_SM_ACTIVE','reason':'no device reports it'}");
    assertThat(array(status, "components"))
        .contains(
            "{'name':'selected devices','status':'problem','state':'not there',"
                + "'message':'--devices: GPU 7 is selected and not there'}");
  }

  @Test
  void reportsSinceWhenTheCountersAreInForce_andWhyANewerFileIsNot() {
    assertThat(array(status(List.of()), "components"))
        .contains(
            "{'name':'counters','status':'ok','state':'in force','message':'counters file c.csv',"
                + "'since':'2026-11-21T11:58:30Z'}");

    var refused = new CountersStatus("counters file c.csv", NOON, Optional.of("line 3 …"));
    var shown = sampled(UP, List.of(), Map.of(), new NotConfigured());
    assertThat(array(statusOf(shown, refused, Optional.empty()), "components"))
        .contains(
            "{'name':'counters','status':'problem','state':'newest refused',"
                + "'message':'counters file c.csv; newest content rejected: line 3 …',"
                + "'since':'2026-11-21T12:00:00Z'}");
  }

  @Test
  void reportsWhyThereIsNoLedger() {
    var shown = sampled(UP, List.of(), Map.of(), new NotConfigured());
    var status = statusOf(shown, GOOD, Optional.of("GPUs are sampled too seldom"));
    assertThat(array(status, "components"))
        .contains(
            "{'name':'ledger','status':'problem','state':'not kept',"
                + "'message':'GPUs are sampled too seldom'}");
  }

  @Test
  void reportsCallsThatFail_withTheirGpusAndCode() {
    var power = new PassReport.CallError(1, "nvmlDeviceGetPowerUsage", "timeout");
    var snapshot =
        new Snapshot(
            NOON,
            "node-a",
            UP,
            List.of(new Answered(GPU, NOON, List.of()), new Answered(OTHER, NOON, List.of())),
            Map.of(),
            new PassReport(Duration.ZERO, Map.of(power, 1), Map.of()));
    var other = sampled(UP, List.of(), Map.of(), new NotConfigured());
    var shown =
        new SnapshotView(
            snapshot, other.unmatched(), List.of(), other.source(), other.age(), false);

    assertThat(array(statusOf(shown, GOOD, Optional.empty()), "components"))
        .contains(
            "{'name':'driver call nvmlDeviceGetPowerUsage (timeout)','status':'problem',"
                + "'state':'failing','message':'GPU 1'}");
  }

  @Test
  void reportsWhatTheDriverRefuses_andWhatIsNotKnownBecauseOfThat() {
    whyUnheard = Optional.of("not supported");
    var refused = new UtilizationSamples.Failed("no permission");

    assertThat(
            array(
                status(List.of(with(GPU, refused), with(OTHER, refused), new Lost(2, null))),
                "components"))
        .contains(
            "{'name':'utilization samples','status':'problem','state':'refused','message':'GPU 0,"
                + " 1: no permission; where they are a sign of work, allocations are not"
                + " observed'}",
            "{'name':'XIDs','status':'problem','state':'refused','message':'GPU 0, 1: not"
                + " supported; none is received, and none is reported as 0'}");
    whyUnheard = Optional.empty();
    assertThat(
            status(List.of(with(GPU, new UtilizationSamples.Unknown())))
                .path("components")
                .toString())
        .doesNotContain("refused");
  }

  private static Answered with(Gpu gpu, UtilizationSamples load) {
    return new Answered(gpu, NOON, List.of(), Set.of(), Map.of(), List.of(), load, Map.of());
  }

  @Test
  void reportsTheStateOfTheKubelet() {
    var silent =
        new OfKubelet(
            new KubeletContact.Silent("/run/<b>: connection refused"),
            Map.of(),
            OptionalInt.empty(),
            new WatchState.NotSynced("403"));

    assertThat(array(status(List.of(), Map.of(), List.of(), silent), "components"))
        .contains(
            "{'name':'kubelet','status':'problem','state':'not responding',"
                + "'message':'/run/<b>: connection refused'}",
            "{'name':'API server, pods','status':'problem','state':'broken','message':'403'}");
  }

  private JsonNode status(List<GpuSample> gpus) {
    return status(gpus, Map.of(), List.of(), new NotConfigured());
  }

  private JsonNode status(
      List<GpuSample> gpus,
      Map<Entity, List<Holder>> holders,
      List<DeviceObservation> ledger,
      SourceState source) {
    var shown = sampled(UP, gpus, holders, source);
    return statusOf(
        new SnapshotView(shown.snapshot(), shown.unmatched(), ledger, source, shown.age(), false),
        GOOD,
        Optional.empty());
  }

  private JsonNode statusOf(
      SnapshotView shown, CountersStatus counters, Optional<String> whyNoLedger) {
    String json =
        new StatusJson(xids, counters, whyNoLedger, _ -> whyUnheard)
            .of(PROGRAM, new Ready(), Optional.of(shown), Optional.empty());
    return parse(json).path("sampling");
  }

  private static SnapshotView sampled(
      DriverState driver,
      List<GpuSample> gpus,
      Map<Entity, List<Holder>> holders,
      SourceState source) {
    return new SnapshotView(
        new Snapshot(NOON, "node-a", driver, gpus, holders, PassReport.NOTHING_ASKED),
        UnmatchedConfig.NOTHING,
        List.of(),
        source,
        Duration.ofSeconds(1),
        false);
  }

  static JsonNode parse(String json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }

  /** Elements of an array, with single quotes for double quotes. */
  static List<String> array(JsonNode parent, String name) {
    return parent
        .withArray(name)
        .valueStream()
        .map(one -> one.toString().replace("'", "\\u0027").replace('"', '\''))
        .toList();
  }
}
