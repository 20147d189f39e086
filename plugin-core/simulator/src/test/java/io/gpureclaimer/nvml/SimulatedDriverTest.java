package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.Nvml.Utilization;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.ScriptedProcess;
import io.gpureclaimer.simulator.ScriptedProcess.ProcessList;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The simulated driver, seen through the session that everybody uses. */
class SimulatedDriverTest {
  private static final long MIB = 1L << 20;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicReference<Script> script = new AtomicReference<>(Script.IDLE);
  private final AtomicReference<Instant> clock = new AtomicReference<>(START);

  @Test
  void everyProfileHasItsCards() {
    assertThat(Profile.names())
        .containsExactly("a100-mig", "a100x8", "h100x8", "h100x8-mig", "h200x8", "mixed", "t4x4");
    assertThat(names("mixed"))
        .containsExactly(
            "NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-80GB", "Tesla T4");
    assertThat(names("h200x8")).hasSize(8).containsOnly("NVIDIA H200");
    assertThat(Profile.named("h300x8")).isEmpty();
  }

  @Test
  void anIdleGpuIsIdle() {
    Nvml nvml = open("h100x8", "node-a");
    GpuHandle gpu = value(nvml.handle(7));

    assertThat(
            List.of(
                nvml.pciBusId(gpu),
                nvml.utilization(gpu),
                nvml.encoderUtilizationPercent(gpu),
                nvml.decoderUtilizationPercent(gpu),
                nvml.smClockMegahertz(gpu),
                nvml.memoryClockMegahertz(gpu),
                nvml.gpuTemperatureCelsius(gpu),
                field(nvml, gpu, 82),
                nvml.powerMilliwatts(gpu),
                field(nvml, gpu, 83),
                field(nvml, gpu, 138),
                nvml.memory(gpu)))
        .isEqualTo(
            List.of(
                new Value<>("00000000:97:00.0"),
                new Value<>(new Utilization(0, 0)),
                new Value<>(0L),
                new Value<>(0L),
                new Value<>(345L),
                new Value<>(2619L),
                new Value<>(31L),
                new Value<>(37L),
                new Value<>(70_000L),
                new Value<>(252_000_000L),
                new Value<>(0L),
                new Value<>(
                    new Memory(81_559 * MIB, OptionalLong.of(551 * MIB), 81_008 * MIB, 0))));
  }

  @Test
  void everythingFollowsTheLoad() {
    script.set(Script.of(GpuScript.busy(0, 100)));
    Nvml nvml = open("h100x8", "node-a");
    GpuHandle gpu = value(nvml.handle(0));
    clock.set(START.plus(Duration.ofSeconds(10)));

    assertThat(
            List.of(
                nvml.utilization(gpu),
                nvml.smClockMegahertz(gpu),
                nvml.gpuTemperatureCelsius(gpu),
                nvml.powerMilliwatts(gpu),
                field(nvml, gpu, 83),
                field(nvml, gpu, 138)))
        .isEqualTo(
            List.of(
                new Value<>(new Utilization(100, 60)),
                new Value<>(1980L),
                new Value<>(74L),
                new Value<>(700_000L),
                new Value<>(252_000_000L + 10 * 700_000L),
                new Value<>(10 * 200_000L * 1024)));
  }

  @Test
  void anInstanceIsMeasured_asLongAsThereIsOne() {
    script.set(Script.of(GpuScript.busy(0, 100).with(MigLayout.of(List.of("3g.40gb")))));
    Nvml nvml = open("h100x8", "node-a");
    GpuHandle gpu = value(nvml.handle(0));
    var query = new GpmQuery(List.of(1, 5));

    assertThat(nvml.measure(gpu, 1, query)).isEqualTo(new Value<>(List.of()));
    assertThat(nvml.measure(gpu, 1, query))
        .isEqualTo(new Value<>(List.of(new Value<>(100.0), new Value<>(40.0))));
    assertThat(nvml.measure(gpu, 2, query)).isInstanceOf(Failed.class);
    script.set(Script.IDLE);
    assertThat(nvml.measure(gpu, 1, query)).isInstanceOf(Failed.class);
  }

  @Test
  void memoryIsWhatTheScriptSays_andNeverMoreThanTheBoardHas() {
    script.set(
        Script.of(
            new GpuScript(0, 0, OptionalInt.of(40_960), Optional.empty()),
            new GpuScript(1, 0, OptionalInt.of(1_000_000), Optional.empty()),
            GpuScript.busy(2, 50)));
    Nvml nvml = open("h100x8", "node-a");

    assertThat(List.of(used(nvml, 0), used(nvml, 1), used(nvml, 2), used(nvml, 3)))
        .isEqualTo(List.of(40_960 * MIB, 81_008 * MIB, 20_389 * MIB, 0L));
  }

  @Test
  void loadWandersByFive_theSameWayEveryTime() {
    script.set(Script.of(GpuScript.busy(0, 50), GpuScript.busy(1, 50)));

    List<Integer> first = minute(open("h100x8", "node-a"), 0);

    assertThat(first).allSatisfy(percent -> assertThat(percent).isBetween(45, 55));
    assertThat(first.stream().distinct().count()).isGreaterThan(5);
    assertThat(minute(open("h100x8", "node-a"), 0)).isEqualTo(first);
    assertThat(minute(open("h100x8", "node-a"), 1)).isNotEqualTo(first);
  }

  @Test
  void loadNeverLeavesTheScale_andALoadedGpuIsNeverIdle() {
    script.set(Script.of(GpuScript.busy(0, 1), GpuScript.busy(1, 99)));
    Nvml nvml = open("h100x8", "node-a");

    assertThat(minute(nvml, 0)).allSatisfy(percent -> assertThat(percent).isBetween(1, 6));
    assertThat(minute(nvml, 1)).allSatisfy(percent -> assertThat(percent).isBetween(94, 100));
  }

  @Test
  void uuidsAreForever_andDifferFromNodeToNode() {
    List<GpuUuid> uuids = uuids(open("h100x8", "node-a"));

    assertThat(uuids.getFirst()).isEqualTo(new GpuUuid("GPU-7463f130-ce31-34c8-91e8-e1114b02d302"));
    assertThat(uuids(open("h100x8", "node-a"))).isEqualTo(uuids).doesNotHaveDuplicates();
    assertThat(uuids(open("h100x8", "node-b"))).doesNotContainAnyElementsOf(uuids);
  }

  @Test
  void aT4HasNeitherHbmNorNvlinkNorSpareRows() {
    Nvml nvml = open("t4x4", "node-a");
    GpuHandle gpu = value(nvml.handle(0));

    assertThat(List.of(field(nvml, gpu, 82), field(nvml, gpu, 138), field(nvml, gpu, 143)))
        .containsOnly(new Unsupported<>());
  }

  @Test
  void aLostGpuIsLostAlone_untilTheScriptBringsItBack() {
    Nvml nvml = open("h100x8", "node-a");
    GpuHandle gpu = value(nvml.handle(3));
    script.set(Script.of(GpuScript.broken(3, Fault.LOST)));

    assertThat(nvml.utilization(gpu)).isEqualTo(new Failed<>(NvmlReturn.GPU_IS_LOST, 15));
    assertThat(nvml.uuid(gpu)).isEqualTo(new Failed<>(NvmlReturn.GPU_IS_LOST, 15));
    assertThat(nvml.handle(3)).isEqualTo(new Failed<>(NvmlReturn.GPU_IS_LOST, 15));
    assertThat(nvml.handle(2)).isInstanceOf(Value.class);
    assertThat(nvml.deviceCount()).isEqualTo(8);

    script.set(Script.IDLE);
    assertThat(nvml.utilization(gpu)).isEqualTo(new Value<>(new Utilization(0, 0)));
  }

  @Test
  void aGpuWithoutPowerSensorSaysSo() {
    script.set(Script.of(GpuScript.broken(1, Fault.POWER_UNSUPPORTED)));
    Nvml nvml = open("h100x8", "node-a");

    assertThat(nvml.powerMilliwatts(value(nvml.handle(1)))).isEqualTo(new Unsupported<>());
    assertThat(nvml.powerMilliwatts(value(nvml.handle(0)))).isEqualTo(new Value<>(70_000L));
  }

  @Test
  void aHangingGpuKeepsItsCaller_untilTheScriptChanges() {
    Nvml nvml = open("h100x8", "node-a");
    GpuHandle gpu = value(nvml.handle(3));
    script.set(Script.of(GpuScript.broken(3, Fault.HANG)));
    var caller = new AtomicReference<Thread>();
    var hung =
        CompletableFuture.supplyAsync(
            () -> {
              caller.set(Thread.currentThread());
              return nvml.powerMilliwatts(gpu);
            });
    Awaitility.await()
        .until(() -> caller.get() != null && caller.get().getState() == Thread.State.TIMED_WAITING);

    assertThat(nvml.powerMilliwatts(value(nvml.handle(4)))).isEqualTo(new Value<>(70_000L));
    assertThat(nvml.uuid(value(nvml.handle(3)))).isInstanceOf(Value.class);
    assertThat(hung).isNotDone();

    script.set(Script.IDLE);
    assertThat(hung.join()).isEqualTo(new Value<>(70_000L));
  }

  @Test
  void aDividedGpuHasItsInstances_andNoUtilizationOfTheWhole() {
    script.set(Script.of(GpuScript.busy(0, 60)));
    Nvml nvml = open("h100x8-mig", "node-a");
    GpuHandle gpu = value(nvml.handle(0));

    List<MigDevice> devices = value(nvml.mig().devices(gpu));

    assertThat(devices).extracting(MigDevice::instance).containsExactly(7, 8, 9, 10, 11, 12, 13);
    assertThat(devices).extracting(MigDevice::profile).containsOnly("1g.10gb");
    assertThat(devices).extracting(MigDevice::uuid).doesNotHaveDuplicates();
    assertThat(
            List.of(
                nvml.utilization(gpu),
                nvml.encoderUtilizationPercent(gpu),
                nvml.decoderUtilizationPercent(gpu),
                nvml.samples(gpu, SampleKind.GPU, 0),
                nvml.processes().utilization(gpu, 0)))
        .containsOnly(new Unsupported<>());
    assertThat(value(nvml.memory(devices.getFirst().handle())).totalBytes()).isEqualTo(9_856 * MIB);
  }

  @Test
  void aScriptRepartitionsAGpu() {
    Nvml nvml = open("a100-mig", "node-a");
    GpuHandle gpu = value(nvml.handle(0));
    assertThat(value(nvml.mig().devices(gpu)))
        .extracting(MigDevice::instance, MigDevice::profile)
        .containsExactly(
            tuple(1, "3g.40gb"), tuple(3, "2g.20gb"), tuple(7, "1g.10gb"), tuple(8, "1g.10gb"));

    script.set(Script.of(GpuScript.idle(0).with(MigLayout.of(List.of("7g.80gb")))));
    assertThat(value(nvml.mig().devices(gpu)))
        .extracting(MigDevice::instance, MigDevice::profile)
        .containsExactly(tuple(0, "7g.80gb"));

    script.set(Script.of(GpuScript.idle(0).with(MigLayout.OFF)));
    assertThat(nvml.mig().isOn(gpu)).isEqualTo(new Value<>(false));
    assertThat(nvml.utilization(gpu)).isEqualTo(new Value<>(new Utilization(0, 0)));
  }

  @Test
  void aT4CannotBeDivided() {
    script.set(Script.of(GpuScript.idle(0).with(MigLayout.of(List.of("1g.10gb")))));
    Nvml nvml = open("t4x4", "node-a");

    assertThat(nvml.mig().isOn(value(nvml.handle(0)))).isEqualTo(new Unsupported<>());
  }

  @Test
  void reportsTheProcessesOfTheScript() {
    script.set(
        Script.of(
            GpuScript.busy(0, 60)
                .running(
                    new ScriptedProcess(
                        12, OptionalInt.of(500), 30, ProcessList.COMPUTE, OptionalInt.empty()),
                    new ScriptedProcess(
                        13, OptionalInt.empty(), 0, ProcessList.GRAPHICS, OptionalInt.of(7)))));
    Nvml nvml = open("h100x8", "node-a");
    GpuHandle gpu = value(nvml.handle(0));
    long now = START.toEpochMilli() * 1_000;

    assertThat(value(nvml.processes().running(gpu)))
        .containsExactly(
            new GpuProcess(12, OptionalLong.of(500 * MIB), OptionalInt.empty()),
            new GpuProcess(13, OptionalLong.empty(), OptionalInt.of(7)));
    assertThat(nvml.processes().utilization(gpu, 0))
        .isEqualTo(new Value<>(List.of(new ProcessUtilization(12, now, 30, 15, 0, 0))));
    assertThat(nvml.processes().utilization(gpu, now)).isEqualTo(new Value<>(List.of()));
  }

  @Test
  void keepsAHundredSamples() {
    script.set(Script.of(GpuScript.busy(0, 100)));
    Nvml nvml = open("h100x8", "node-a");
    GpuHandle gpu = value(nvml.handle(0));

    List<UtilizationSample> all = value(nvml.samples(gpu, SampleKind.MEMORY, 0));

    assertThat(all).hasSize(100).extracting(UtilizationSample::percent).containsOnly(60);
    assertThat(value(nvml.samples(gpu, SampleKind.MEMORY, all.get(89).atMicros())))
        .isEqualTo(all.subList(90, 100));
  }

  @Test
  void cardsOfAKindAreLinked() {
    Nvml nvml = open("mixed", "node-a");
    GpuHandle first = value(nvml.handle(0));

    assertThat(nvml.nvlinkTo(first, value(nvml.handle(1)))).isEqualTo(new Value<>(P2pStatus.OK));
    assertThat(nvml.nvlinkTo(first, value(nvml.handle(2))))
        .isEqualTo(new Value<>(P2pStatus.NOT_SUPPORTED));
  }

  @Test
  void energyDoesNotFall_whenTheClockStepsBack() {
    Nvml nvml = open("h100x8", "node-a");
    GpuHandle gpu = value(nvml.handle(0));
    clock.set(START.plus(Duration.ofSeconds(10)));
    long before = value(field(nvml, gpu, 83));
    clock.set(START);

    assertThat(field(nvml, gpu, 83)).isEqualTo(new Value<>(before));
  }

  private Nvml open(String profile, String node) {
    return Nvml.open(
        new SimulatedDriver(Profile.named(profile).orElseThrow(), node, script::get, clock::get));
  }

  /** A field of the whole GPU, or over all its links. */
  private static NvmlResult<Long> field(Nvml nvml, GpuHandle gpu, int id) {
    var asked = id == 138 ? FieldQuery.Field.ofAllLinks(id) : FieldQuery.Field.of(id);
    return switch (value(nvml.fieldValues(gpu, new FieldQuery(List.of(asked)))).getFirst()) {
      case Value<FieldValue>(var number) -> new Value<>(number.whole());
      case Unsupported<FieldValue>() -> new Unsupported<>();
      case Failed<FieldValue>(var reason, var code, _) -> new Failed<>(reason, code);
    };
  }

  private List<String> names(String profile) {
    Nvml nvml = open(profile, "node-a");
    List<String> names = new ArrayList<>();
    for (int index = 0; index < nvml.deviceCount(); index++) {
      names.add(value(nvml.name(value(nvml.handle(index)))));
    }
    return names;
  }

  private static List<GpuUuid> uuids(Nvml nvml) {
    List<GpuUuid> uuids = new ArrayList<>();
    for (int index = 0; index < nvml.deviceCount(); index++) {
      uuids.add(value(nvml.uuid(value(nvml.handle(index)))));
    }
    return uuids;
  }

  private static long used(Nvml nvml, int index) {
    return value(nvml.memory(value(nvml.handle(index)))).usedBytes();
  }

  private List<Integer> minute(Nvml nvml, int index) {
    GpuHandle gpu = value(nvml.handle(index));
    List<Integer> percents = new ArrayList<>();
    for (int second = 0; second < 60; second++) {
      clock.set(START.plusSeconds(second));
      percents.add(value(nvml.utilization(gpu)).gpuPercent());
    }
    return percents;
  }
}
