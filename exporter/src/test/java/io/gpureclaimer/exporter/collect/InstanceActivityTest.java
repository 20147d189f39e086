package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.PROF_GR_ENGINE_ACTIVE;
import static io.gpureclaimer.common.vocabulary.DcgmField.PROF_SM_ACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.activity.ActivityRules;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.activity.Ledger;
import io.gpureclaimer.exporter.collect.computed.LoadCollector;
import io.gpureclaimer.exporter.collect.computed.ProcessCollector;
import io.gpureclaimer.exporter.collect.fields.GpmCollector;
import io.gpureclaimer.exporter.collect.fields.NumberCollector;
import io.gpureclaimer.exporter.collect.fields.UtilizationCollector;
import io.gpureclaimer.exporter.sample.DeviceProcesses;
import io.gpureclaimer.exporter.sample.DeviceProcesses.ProcessUse;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.nvml.binding.NvmlGpmMetrics;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.ScriptedProcess;
import io.gpureclaimer.simulator.ScriptedProcess.ProcessList;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import jnr.ffi.Pointer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An H100 in seven instances, of which one works: what is measured of each, and by whose pod. */
class InstanceActivityTest {
  private static final int NO_PERMISSION = 4;
  private static final int UNKNOWN_ERROR = 999;
  private static final String HANDLE = "nvmlDeviceGetMigDeviceHandleByIndex";
  private static final int INDEX_AT_REST = 2;
  private static final int AT_WORK = 8;
  private static final int AT_REST = 9;
  private static final Holder WORKER = new Holder("ml", "worker", "main", "uid-1");
  private static final Holder IDLER = new Holder("ml", "idler", "main", "uid-2");
  private static final Set<DcgmField> WANTED =
      Set.of(
          DEV_GPU_UTIL,
          PROF_GR_ENGINE_ACTIVE,
          PROF_SM_ACTIVE,
          DcgmFields.field("PROF_PCIE_TX_BYTES"));

  private final ManualTime time = new ManualTime();
  private volatile Script script =
      Script.of(
          GpuScript.idle(0)
              .running(
                  new ScriptedProcess(
                      77, OptionalInt.of(1), 50, ProcessList.COMPUTE, OptionalInt.of(AT_WORK))));
  private final FaultyDriver driver =
      new FaultyDriver(
          new SimulatedDriver(Profile.named("h100x8-mig").orElseThrow(), "a", () -> script, time));
  private final SampledNode pass =
      new SampledNode(
          driver.library(),
          1,
          List.of(
              new GpmCollector(),
              new NumberCollector(),
              new UtilizationCollector(),
              new LoadCollector(time),
              new ProcessCollector(time)),
          SampledNode.PATIENT,
          time,
          time);
  private final Ledger ledger =
      new Ledger(new ActivityRules(Set.of(ActivityField.values()), 1, 1), Duration.ofSeconds(5));

  @AfterEach
  void close() {
    pass.close();
  }

  @Test
  void measuresEachInstanceByItself_andTheLinksOfNone() {
    run();
    var gpu = later();

    assertThat(readings(gpu, AT_WORK))
        .containsExactlyInAnyOrder(
            new Reading(PROF_GR_ENGINE_ACTIVE, 0.5), new Reading(PROF_SM_ACTIVE, 0.45));
    assertThat(readings(gpu, AT_REST))
        .containsExactlyInAnyOrder(
            new Reading(PROF_GR_ENGINE_ACTIVE, 0.000_062), new Reading(PROF_SM_ACTIVE, 0));
  }

  @Test
  void reportsTheMemoryThatTheHostSeesOfEachInstance() {
    var wanted = Set.of(DcgmFields.field("DEV_BAR1_TOTAL"), DcgmFields.field("DEV_BAR1_USED"));
    var gpu = (Answered) pass.run(wanted).gpus().getFirst();

    assertThat(gpu.readings()).extracting(Reading::value).containsExactly(131_072.0, 1.0);
    assertThat(readings(gpu, AT_WORK)).extracting(Reading::value).containsExactly(15_839.0, 0.0);
  }

  @Test
  void theLedgerSeesWorkOfTheOnePod_andNoneOfTheOther() {
    assertThat(observe(run())).as("the first poll reports nothing").isEmpty();
    var first = observe(later());
    var second = observe(later());

    assertThat(first).extracting(DeviceObservation::holder).containsExactly(WORKER, IDLER);
    assertThat(second.getFirst().lastActive()).contains(second.getFirst().until());
    assertThat(second.getFirst().busy()).isEqualTo(Duration.ofMillis(500));
    assertThat(second.getLast().lastActive()).isEmpty();
    assertThat(second.getLast().busy()).isZero();
  }

  @Test
  void anInstanceThatTakesOverANumberDoesNotGetTheOldOnesLoad_whenTheDriverReportsNothing() {
    run();
    later();
    script = Script.of(GpuScript.idle(0).with(MigLayout.of(List.of("1g.10gb", "1g.20gb"))));
    time.advance(Duration.ofSeconds(10));

    var first = run();
    assertThat(first.instances())
        .extracting(part -> part.instance().id())
        .contains(AT_WORK)
        .hasSize(2);
    assertThat(first.instances()).allMatch(part -> part.readings().isEmpty());
    assertThat(readings(later(), AT_WORK))
        .containsExactlyInAnyOrder(
            new Reading(PROF_GR_ENGINE_ACTIVE, 0.000_062), new Reading(PROF_SM_ACTIVE, 0));
  }

  /** The driver gives equal instances equal UUIDs: only it can distinguish them. */
  @Test
  void nothingIsMeasuredAcrossADivision_whenTheDriverReportsOneThatLooksTheSame() {
    run();
    pass.repartitioned(later().device().uuid());

    assertThat(readings(later(), AT_WORK)).isEmpty();
    assertThat(readings(later(), AT_WORK)).hasSize(2);
  }

  @Test
  void isMeasuredWithoutAGap_whenOtherFieldsAreWanted() {
    run();
    later();
    time.advance(Duration.ofSeconds(1));
    var more = new HashSet<>(WANTED);
    more.add(DcgmFields.field("DEV_BAR1_USED"));

    var gpu = (Answered) pass.run(more).gpus().getFirst();

    assertThat(readings(gpu, AT_WORK)).contains(new Reading(PROF_GR_ENGINE_ACTIVE, 0.5));
  }

  @Test
  void theOthersAreMeasuredWithoutAGap_whenOneIsHiddenAndShownAgain() {
    run();
    later();
    driver.failIf(HANDLE, args -> args[1].equals(INDEX_AT_REST), UNKNOWN_ERROR);
    time.advance(Duration.ofSeconds(9));
    var hidden = observe(later());
    var still = later();
    driver.repair();
    var shown = later();

    assertThat(hidden).extracting(DeviceObservation::holder).containsExactly(WORKER);
    assertThat(readings(still, AT_WORK)).contains(new Reading(PROF_GR_ENGINE_ACTIVE, 0.5));
    assertThat(readings(shown, AT_WORK)).contains(new Reading(PROF_GR_ENGINE_ACTIVE, 0.5));
    assertThat(readings(shown, AT_REST)).as("it may be another").isEmpty();
    assertThat(readings(later(), AT_REST)).hasSize(2);
  }

  @Test
  void nothingIsObserved_whereTheDriverRefusesEachMetricOfAnInstance() {
    run();
    later();
    driver.change("nvmlGpmMetricsGet", InstanceActivityTest::refuseEach);

    assertThat(observe(later())).isEmpty();
  }

  @Test
  void processesOfHiddenInstancesAreNotOnTheWholeGpu() {
    driver.failIf(HANDLE, _ -> true, NO_PERMISSION);

    var gpu = run();

    assertThat(gpu.instances()).isEmpty();
    assertThat(gpu.processes())
        .containsEntry(Entity.whole(gpu.device().uuid()), new DeviceProcesses(List.of(), false))
        .containsEntry(
            part(gpu, AT_WORK),
            new DeviceProcesses(List.of(new ProcessUse(77, 1L << 20, null)), false));
  }

  private static void refuseEach(Object[] args) {
    var metrics = new NvmlGpmMetrics((Pointer) args[0]);
    for (int entry = 0; entry < metrics.count(); entry++) {
      metrics.answer(entry, NO_PERMISSION, Double.NaN);
    }
  }

  @Test
  void nothingIsObserved_whileTheInstancesCannotBeMeasured() {
    run();
    later();
    driver.fail("nvmlGpmMigSampleGet", UNKNOWN_ERROR);

    assertThat(observe(later())).isEmpty();
  }

  @Test
  void eachInstanceHasItsProcesses_whoseTimeTheDriverDoesNotReport() {
    run();
    var gpu = later();

    assertThat(gpu.processes().get(part(gpu, AT_WORK)))
        .isEqualTo(new DeviceProcesses(List.of(new ProcessUse(77, 1L << 20, null)), false));
    assertThat(gpu.processes().get(part(gpu, AT_REST)))
        .isEqualTo(new DeviceProcesses(List.of(), false));
  }

  private List<DeviceObservation> observe(Answered gpu) {
    return ledger.observe(
        new Snapshot(
            gpu.at(),
            "node-a",
            new DriverState.Up("570"),
            List.of(gpu),
            Map.of(part(gpu, AT_WORK), List.of(WORKER), part(gpu, AT_REST), List.of(IDLER)),
            PassReport.NOTHING_ASKED));
  }

  private Answered later() {
    time.advance(Duration.ofSeconds(1));
    return run();
  }

  private Answered run() {
    return (Answered) pass.run(WANTED).gpus().getFirst();
  }

  private static Entity part(Answered gpu, int id) {
    return Entity.instance(gpu.device().uuid(), id);
  }

  private static List<Reading> readings(Answered gpu, int id) {
    return gpu.instances().stream()
        .filter(part -> part.instance().id() == id)
        .findFirst()
        .orElseThrow()
        .readings();
  }
}
