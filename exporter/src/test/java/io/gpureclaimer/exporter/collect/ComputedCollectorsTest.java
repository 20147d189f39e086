package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_XID_ERRORS;
import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_CLOCK_EVENTS_COUNT;
import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_CLOCK_EVENTS_TOTAL;
import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_GPU_HEALTH_STATUS;
import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_P2P_STATUS;
import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_XID_ERRORS_COUNT;
import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_XID_ERRORS_TOTAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.exporter.collect.computed.ClockEventsCollector;
import io.gpureclaimer.exporter.collect.computed.GpuEvents;
import io.gpureclaimer.exporter.collect.computed.HealthCollector;
import io.gpureclaimer.exporter.collect.computed.InforomCollector;
import io.gpureclaimer.exporter.collect.computed.PeerCollector;
import io.gpureclaimer.exporter.collect.computed.XidCollector;
import io.gpureclaimer.exporter.collect.pass.CollectionPlan;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.nvml.DriverEvent.Xid;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.PolledGpu;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The collectors that work out what dcgm-exporter works out. */
class ComputedCollectorsTest {
  private static final int NOT_SUPPORTED = 3;
  private static final int UNKNOWN = 999;
  private static final int GPU_IS_LOST = 15;
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final DcgmField CLOCK_REASONS = DcgmField.of(112);
  private static final DcgmField POWER_VIOLATION = DcgmField.of(240);
  private static final DcgmField DBE = DcgmField.of(311);
  private static final DcgmField MIG_MODE = DcgmField.of(67);
  private static final DcgmField INFOROM_VALID = DcgmField.of(84);

  private final ManualTime time = new ManualTime();
  private final AtomicReference<Script> script = new AtomicReference<>(Script.IDLE);
  private final FaultyDriver driver =
      new FaultyDriver(
          new SimulatedDriver(Profile.named("mixed").orElseThrow(), "a", script::get, time));
  private final Nvml nvml = Nvml.open(driver.library());
  private final GpuEvents events = new GpuEvents(new XidLog(WINDOW), time);
  private final PolledGpu first = device(0);

  @Test
  void saysNothingOfXids_whereNothingListens() {
    assertThat(collect(new XidCollector(events, WINDOW), Map.of())).isEmpty();
  }

  @Test
  void saysZero_untilThereIsAnXid() {
    events.begins(first.gpu().uuid());

    assertThat(collect(new XidCollector(events, WINDOW), Map.of()))
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_XID_ERRORS{err_code=0,err_msg=No Error} 0",
            "DCGM_EXP_XID_ERRORS_COUNT{window_size_in_ms=300000} 0",
            "DCGM_EXP_XID_ERRORS_TOTAL{} 0");
  }

  @Test
  void reportsTheLastXid_andCountsEachCode() {
    var xids = new XidCollector(events, WINDOW);
    events.begins(first.gpu().uuid());
    raise(79);
    raise(31);
    raise(31);

    assertThat(collect(xids, Map.of()))
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_XID_ERRORS{err_code=31,err_msg=GPU memory page fault} 31",
            "DCGM_EXP_XID_ERRORS_COUNT{window_size_in_ms=300000,xid=31} 2",
            "DCGM_EXP_XID_ERRORS_COUNT{window_size_in_ms=300000,xid=79} 1",
            "DCGM_EXP_XID_ERRORS_TOTAL{xid=31} 2",
            "DCGM_EXP_XID_ERRORS_TOTAL{xid=79} 1");
  }

  @Test
  void forgetsXidsOfTheWindow_andNoOthers() {
    events.begins(first.gpu().uuid());
    raise(79);
    time.advance(WINDOW.plusSeconds(1));

    assertThat(collect(new XidCollector(events, WINDOW), Map.of()))
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_XID_ERRORS{err_code=79,err_msg=GPU has fallen off the bus} 79",
            "DCGM_EXP_XID_ERRORS_COUNT{window_size_in_ms=300000} 0",
            "DCGM_EXP_XID_ERRORS_TOTAL{xid=79} 1");
  }

  @Test
  void aLostGpuHasXid79_alsoIfNoEventReportedIt() {
    assertThat(collectLastKnown(GpuFault.LOST))
        .containsExactly(
            "DCGM_FI_DEV_XID_ERRORS{err_code=79,err_msg=GPU has fallen off the bus} 79",
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_FALLEN_OFF_BUS,health_watch=ALL}"
                + " 20");

    events.begins(first.gpu().uuid());
    raise(48);
    events.ends(first.gpu().uuid());
    assertThat(collectLastKnown(GpuFault.LOST))
        .containsExactly(
            "DCGM_FI_DEV_XID_ERRORS{err_code=79,err_msg=GPU has fallen off the bus} 79",
            "DCGM_EXP_XID_ERRORS_COUNT{window_size_in_ms=300000,xid=48} 1",
            "DCGM_EXP_XID_ERRORS_TOTAL{xid=48} 1",
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_FALLEN_OFF_BUS,health_watch=ALL}"
                + " 20");
  }

  @Test
  void aHungGpuKeepsItsLastXid_andNoWatchOfItPasses() {
    events.begins(first.gpu().uuid());
    raise(31);

    assertThat(collectLastKnown(GpuFault.HUNG))
        .containsExactly(
            "DCGM_FI_DEV_XID_ERRORS{err_code=31,err_msg=GPU memory page fault} 31",
            "DCGM_EXP_XID_ERRORS_COUNT{window_size_in_ms=300000,xid=31} 1",
            "DCGM_EXP_XID_ERRORS_TOTAL{xid=31} 1",
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_XID_ERROR,health_watch=MEM} 10",
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_NVML_API,health_watch=ALL} 20");
    assertThat(collectLastKnown(GpuFault.OVERDUE))
        .contains(
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_NVML_API,health_watch=ALL} 10");
  }

  private List<String> collectLastKnown(GpuFault fault) {
    var readings =
        new Readings(
            Set.of(
                DEV_XID_ERRORS, EXP_XID_ERRORS_COUNT, EXP_XID_ERRORS_TOTAL, EXP_GPU_HEALTH_STATUS));
    new XidCollector(events, WINDOW).collectUnresponsive(first.gpu().uuid(), fault, readings);
    new HealthCollector(events, time).collectUnresponsive(first.gpu().uuid(), fault, readings);
    return readings.taken().stream().map(ComputedCollectorsTest::text).toList();
  }

  @Test
  void countsPassesAndBeginningsOfEachClockEvent() {
    var clocks = new ClockEventsCollector(WINDOW, time);
    collect(clocks, Map.of(CLOCK_REASONS, 0x4L));
    time.advance(Duration.ofSeconds(1));
    collect(clocks, Map.of(CLOCK_REASONS, 0x44L));
    time.advance(Duration.ofSeconds(1));
    collect(clocks, Map.of(CLOCK_REASONS, 0x4000L));
    time.advance(Duration.ofSeconds(1));

    assertThat(collect(clocks, Map.of(CLOCK_REASONS, 0x4L)))
        .containsExactlyInAnyOrder(
            "DCGM_EXP_CLOCK_EVENTS_COUNT{window_size_in_ms=300000,clock_event=power_cap} 3",
            "DCGM_EXP_CLOCK_EVENTS_COUNT{window_size_in_ms=300000,clock_event=hw_thermal} 1",
            "DCGM_EXP_CLOCK_EVENTS_TOTAL{clock_event=power_cap} 2",
            "DCGM_EXP_CLOCK_EVENTS_TOTAL{clock_event=hw_thermal} 1");
  }

  @Test
  void saysZero_whileNoClockEventWasSeen_andNothingWithoutReasons() {
    var clocks = new ClockEventsCollector(WINDOW, time);

    assertThat(collect(clocks, Map.of(CLOCK_REASONS, 0L)))
        .containsExactlyInAnyOrder(
            "DCGM_EXP_CLOCK_EVENTS_COUNT{window_size_in_ms=300000} 0",
            "DCGM_EXP_CLOCK_EVENTS_TOTAL{} 0");
    assertThat(collect(clocks, Map.of())).isEmpty();
  }

  @Test
  void reportsTheHealthOfPolledGpus() {
    var health = new HealthCollector(events, time);
    collect(health, Map.of(DBE, 0L, POWER_VIOLATION, 100L));
    time.advance(Duration.ofSeconds(30));

    assertThat(collect(health, Map.of(DBE, 0L, POWER_VIOLATION, 100L)))
        .containsExactly(
            nvlink("DCGM_FR_OK", 0),
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_OK,health_watch=MEM} 0",
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_OK,health_watch=POWER} 0");

    assertThat(collect(health, Map.of(DBE, 1L, POWER_VIOLATION, 101L)))
        .containsExactly(
            nvlink("DCGM_FR_OK", 0),
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_VOLATILE_DBE_DETECTED,health_watch=MEM}"
                + " 20",
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_CLOCKS_EVENT_POWER,health_watch=POWER}"
                + " 10");
  }

  @Test
  void growthIsForgottenAfterAMinute() {
    var health = new HealthCollector(events, time);
    collect(health, Map.of(POWER_VIOLATION, 100L));
    time.advance(Duration.ofSeconds(30));
    collect(health, Map.of(POWER_VIOLATION, 101L));
    time.advance(Duration.ofSeconds(31));

    assertThat(collect(health, Map.of(POWER_VIOLATION, 101L)))
        .containsExactly(
            nvlink("DCGM_FR_OK", 0),
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_OK,health_watch=POWER} 0");
  }

  @Test
  void anXidStaysRaised() {
    var health = new HealthCollector(events, time);
    events.begins(first.gpu().uuid());
    raise(79);
    time.advance(Duration.ofDays(1));

    assertThat(collect(health, Map.of()))
        .contains(
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_FALLEN_OFF_BUS,health_watch=ALL}"
                + " 20")
        .hasSize(6);
  }

  @Test
  void noZeroAndNoPassUseXids_whenListeningHasEnded() {
    events.begins(first.gpu().uuid());
    events.ends(first.gpu().uuid());

    assertThat(collect(new XidCollector(events, WINDOW), Map.of())).isEmpty();
    assertThat(collect(new HealthCollector(events, time), Map.of())).isEmpty();
    raise(79);
    assertThat(collect(new XidCollector(events, WINDOW), Map.of())).hasSize(3);
    assertThat(collect(new HealthCollector(events, time), Map.of()))
        .containsExactly(
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_FALLEN_OFF_BUS,health_watch=ALL}"
                + " 20");
  }

  @Test
  void reportsTheWayToEachOtherGpu() {
    var peers = new PeerCollector(time);

    assertThat(collect(peers, Map.of()))
        .containsExactly(
            "DCGM_EXP_P2P_STATUS{link_status=OK,peer_gpu=1} 0",
            "DCGM_EXP_P2P_STATUS{link_status=NotSupported,peer_gpu=2} 5",
            "DCGM_EXP_P2P_STATUS{link_status=NotSupported,peer_gpu=3} 5",
            "DCGM_FI_DEV_P2P_NVLINK_STATUS{} 2");
  }

  @Test
  void saysNothingOfTheReachedOnesTogether_whileOneIsNotKnown() {
    script.set(Script.of(GpuScript.broken(3, Fault.LOST)));

    assertThat(collect(new PeerCollector(time), Map.of()))
        .containsExactly(
            "DCGM_EXP_P2P_STATUS{link_status=OK,peer_gpu=1} 0",
            "DCGM_EXP_P2P_STATUS{link_status=NotSupported,peer_gpu=2} 5");
  }

  @Test
  void asksForTheWaysOnceAMinute_andAgainAtOnceWhenOneFailed() {
    var peers = new PeerCollector(time);
    driver.fail("nvmlDeviceGetP2PStatus", 10);
    assertThat(collect(peers, Map.of())).isEmpty();
    driver.fail("nvmlDeviceGetP2PStatus", GPU_IS_LOST);
    var readings = new Readings(peers.fields());
    peers.collect(first, readings);
    assertThat(readings.gpuIsLost()).isFalse();
    driver.repair();
    assertThat(collect(peers, Map.of())).hasSize(4);
    long asked = driver.callsOf("nvmlDeviceGetP2PStatus");
    collect(peers, Map.of());
    assertThat(driver.callsOf("nvmlDeviceGetP2PStatus")).isEqualTo(asked);

    time.advance(Duration.ofMinutes(1));
    collect(peers, Map.of());
    assertThat(driver.callsOf("nvmlDeviceGetP2PStatus")).isEqualTo(asked + 3);
  }

  @Test
  void aLinkThatIsDownIsAFailure_asLongAsNoGpuOfTheNodeIsDivided() {
    script.set(Script.of(GpuScript.broken(0, Fault.NVLINK_DOWN)));
    var health = new HealthCollector(events, time);

    assertThat(collect(health, Map.of())).isEmpty();
    assertThat(collect(health, Map.of())).containsExactly(nvlink("DCGM_FR_NVLINK_DOWN", 20));
    assertThat(collect(health, device(2), Map.of(MIG_MODE, 1L))).isEmpty();
    assertThat(collect(health, Map.of())).isEmpty();
    collect(health, device(2), Map.of(MIG_MODE, 0L));
    assertThat(collect(health, Map.of())).containsExactly(nvlink("DCGM_FR_NVLINK_DOWN", 20));
  }

  @Test
  void aDividedGpuThatDoesNotSayStaysDivided_untilItIsGone() {
    script.set(Script.of(GpuScript.broken(0, Fault.NVLINK_DOWN)));
    var health = new HealthCollector(events, time);
    collect(health, Map.of());
    collect(health, device(2), Map.of(MIG_MODE, 1L));

    collect(health, device(2), Map.of());
    assertThat(collect(health, Map.of())).isEmpty();
    time.advance(Duration.ofMinutes(3));
    assertThat(collect(health, Map.of())).containsExactly(nvlink("DCGM_FR_NVLINK_DOWN", 20));
  }

  @Test
  void saysNothingOfLinks_whereTheDriverFailsToReport() {
    var health = new HealthCollector(events, time);
    collect(health, Map.of());
    driver.fail("nvmlDeviceGetNvLinkState", UNKNOWN);

    assertThat(collect(health, Map.of())).isEmpty();
  }

  @Test
  void pollsTheLinksOnceAMinute_andReportsNothingForABoardWithoutLinks() {
    var health = new HealthCollector(events, time);
    collect(health, Map.of());

    assertThat(collect(health, Map.of())).containsExactly(nvlink("DCGM_FR_OK", 0));
    long asked = driver.callsOf("nvmlDeviceGetNvLinkState");
    script.set(Script.of(GpuScript.broken(0, Fault.NVLINK_DOWN)));
    assertThat(collect(health, Map.of())).containsExactly(nvlink("DCGM_FR_OK", 0));
    assertThat(driver.callsOf("nvmlDeviceGetNvLinkState")).isEqualTo(asked);
    time.advance(Duration.ofMinutes(1));
    assertThat(collect(health, Map.of())).containsExactly(nvlink("DCGM_FR_NVLINK_DOWN", 20));

    var t4 = device(3);
    collect(health, t4, Map.of());
    assertThat(collect(health, t4, Map.of())).isEmpty();
  }

  @Test
  void aCorruptInforomIsAWarning() {
    var inforoms = new InforomCollector(time, Runnable::run);
    var health = new HealthCollector(events, time);

    assertThat(collect(inforoms, Map.of())).contains("DCGM_FI_DEV_INFOROM_CONFIG_VALID{} 1");
    assertThat(collect(health, Map.of(INFOROM_VALID, 1L)))
        .containsExactly(inforom("DCGM_FR_OK", 0));

    script.set(Script.of(GpuScript.broken(0, Fault.INFOROM_CORRUPT)));
    time.advance(Duration.ofMinutes(59));
    assertThat(collect(inforoms, Map.of())).contains("DCGM_FI_DEV_INFOROM_CONFIG_VALID{} 1");
    time.advance(Duration.ofMinutes(1));
    assertThat(collect(inforoms, Map.of())).contains("DCGM_FI_DEV_INFOROM_CONFIG_VALID{} 0");
    assertThat(collect(new HealthCollector(events, time), Map.of(INFOROM_VALID, 0L)))
        .containsExactly(inforom("DCGM_FR_CORRUPT_INFOROM", 10));
  }

  @Test
  void aBoardThatCannotCheckItsInforomSaysNothingOfIt() {
    driver.fail("nvmlDeviceValidateInforom", NOT_SUPPORTED);

    assertThat(collect(new InforomCollector(time, Runnable::run), Map.of()))
        .hasSize(1)
        .allMatch(line -> line.startsWith("DCGM_FI_DEV_INFOROM_CONFIG_CHECK{}"));
  }

  @Test
  void noTurnWaitsForAnInforom_andOneThatHangsIsNotReadAgain() {
    var waiting = new ArrayList<Runnable>();
    var inforoms = new InforomCollector(time, waiting::add);

    assertThat(collect(inforoms, Map.of())).isEmpty();
    time.advance(Duration.ofHours(2));
    assertThat(collect(inforoms, Map.of())).isEmpty();
    assertThat(waiting).hasSize(1);
    waiting.getFirst().run();
    assertThat(collect(inforoms, Map.of())).hasSize(2);
  }

  @Test
  void anInforomThatWasReadLongAgo_isNotReported_whileTheNextReadHangs() {
    var waiting = new ArrayList<Runnable>();
    var inforoms = new InforomCollector(time, waiting::add);
    collect(inforoms, Map.of());
    waiting.getFirst().run();
    time.advance(Duration.ofHours(1));
    assertThat(collect(inforoms, Map.of())).hasSize(2);
    assertThat(waiting).hasSize(2);

    time.advance(Duration.ofMinutes(61));
    assertThat(collect(inforoms, Map.of())).isEmpty();
  }

  @Test
  void anInforomThatCouldNotBeAskedFor_isAskedForAgainAMinuteLater() {
    var inforoms = new InforomCollector(time, Runnable::run);
    var other = Nvml.open(driver.library());
    var before = new PolledGpu(other, first.handle(), first.gpu());
    other.close();

    assertThat(collect(inforoms, before, Map.of())).isEmpty();
    assertThat(collect(inforoms, Map.of())).isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(collect(inforoms, Map.of())).hasSize(2);
  }

  private static String nvlink(String code, int status) {
    return "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code="
        + code
        + ",health_watch=NVLINK} "
        + status;
  }

  private static String inforom(String code, int status) {
    return "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code="
        + code
        + ",health_watch=INFOROM} "
        + status;
  }

  @Test
  void whatIsNeededIsAskedFor_andReportedBefore() {
    var clocks = new ClockEventsCollector(WINDOW, time);
    var reasons = new FixedReadings(Map.of(CLOCK_REASONS, 1L));

    var some = CollectionPlan.of(Set.of(EXP_CLOCK_EVENTS_TOTAL), List.of(clocks, reasons));
    var none = CollectionPlan.of(Set.of(DEV_XID_ERRORS), List.of(clocks, reasons));

    assertThat(some.wanted()).isEqualTo(Set.of(EXP_CLOCK_EVENTS_TOTAL, CLOCK_REASONS));
    assertThat(some.collectors()).containsExactly(reasons, clocks);
    assertThat(none.collectors()).isEmpty();
  }

  @Test
  void judgesHealthEveryFiveSeconds_whereTheCountersFileDoesNotNameIt() {
    var health = new HealthCollector(events, time);
    String fine = "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_OK,health_watch=MEM} 0";
    String failing =
        "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=DCGM_FR_VOLATILE_DBE_DETECTED,health_watch=MEM}"
            + " 20";

    assertThat(judgedByDoubleBitErrors(health, 0)).contains(fine);
    time.advance(Duration.ofSeconds(4));
    assertThat(judgedByDoubleBitErrors(health, 1)).contains(fine);
    time.advance(Duration.ofSeconds(1));
    assertThat(judgedByDoubleBitErrors(health, 1)).contains(failing);
  }

  private List<String> judgedByDoubleBitErrors(HealthCollector health, long errors) {
    var readings = new Readings(Set.of(DBE, EXP_GPU_HEALTH_STATUS));
    readings.put(DBE, errors);
    health.collect(first, readings);
    return readings.taken().stream().map(ComputedCollectorsTest::text).toList();
  }

  private void raise(int xid) {
    events.happened(new Xid(first.gpu().uuid(), xid, OptionalInt.empty()));
  }

  private List<String> collect(Collector collector, Map<DcgmField, Long> reported) {
    return collect(collector, first, reported);
  }

  private static List<String> collect(
      Collector collector, PolledGpu device, Map<DcgmField, Long> reported) {
    var wanted = new HashSet<>(reported.keySet());
    wanted.addAll(collector.fields());
    wanted.addAll(collector.inputs());
    wanted.addAll(
        Set.of(DEV_XID_ERRORS, EXP_XID_ERRORS_COUNT, EXP_XID_ERRORS_TOTAL, EXP_P2P_STATUS));
    wanted.addAll(Set.of(EXP_CLOCK_EVENTS_COUNT, EXP_CLOCK_EVENTS_TOTAL, EXP_GPU_HEALTH_STATUS));
    var readings = new Readings(wanted);
    new FixedReadings(reported).collect(device, readings);
    collector.collect(device, readings);
    return readings.taken().stream()
        .filter(reading -> !reported.containsKey(reading.field()))
        .map(ComputedCollectorsTest::text)
        .toList();
  }

  private static String text(Reading reading) {
    return reading.extra().stream()
            .map(label -> label.name() + '=' + label.value())
            .collect(Collectors.joining(",", reading.field() + "{", "} "))
        + (long) reading.value();
  }

  private PolledGpu device(int index) {
    if (!(nvml.handle(index) instanceof Value<GpuHandle>(var handle))) {
      throw new AssertionError("no GPU " + index);
    }
    var gpu = new Gpu(index, new GpuUuid("GPU-" + index), "00000000:19:00.0", "H100");
    return new PolledGpu(nvml, handle, gpu);
  }

  /** Reports the given readings. */
  private record FixedReadings(Map<DcgmField, Long> values) implements Collector {
    @Override
    public String name() {
      return "fixed";
    }

    @Override
    public Set<DcgmField> fields() {
      return values.keySet();
    }

    @Override
    public void collect(PolledGpu device, Readings into) {
      values.forEach(into::put);
    }
  }
}
