package io.gpureclaimer.exporter.collect.pass;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_FB_FREE;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_FB_RESERVED;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_FB_USED;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.ErrorCodes;
import io.gpureclaimer.exporter.collect.SampledNode;
import io.gpureclaimer.exporter.collect.fields.MemoryCollector;
import io.gpureclaimer.exporter.collect.fields.UtilizationCollector;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** GPUs that MIG has divided, as a sampling pass sees them. */
@Isolated("reads the log")
class InstancesTest {
  private static final int NO_PERMISSION = 4;
  private static final int TIMEOUT = 10;
  private static final String HANDLE = "nvmlDeviceGetMigDeviceHandleByIndex";
  private static final Set<DcgmField> WANTED =
      Set.of(DEV_FB_FREE, DEV_FB_USED, DEV_FB_RESERVED, DEV_GPU_UTIL);

  private final Logger logger =
      (Logger) LoggerFactory.getLogger("io.gpureclaimer.nvml.poll.MigLister");
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final ManualTime time = new ManualTime();
  private volatile Script script = Script.IDLE;
  private final FaultyDriver driver =
      new FaultyDriver(
          new SimulatedDriver(Profile.named("a100-mig").orElseThrow(), "a", () -> script, time));
  private final SampledNode pass =
      new SampledNode(
          driver.library(),
          2,
          List.of(new MemoryCollector(), new UtilizationCollector()),
          SampledNode.PATIENT,
          time,
          time);

  @AfterEach
  void close() {
    pass.close();
  }

  @Test
  void reportsTheInstancesOfAGpu_eachWithMemoryOfItsOwn() {
    var second = run(1);

    assertThat(second.instances())
        .extracting(one -> one.instance().id(), one -> one.instance().profile())
        .containsExactly(tuple(1, "4g.40gb"), tuple(2, "3g.40gb"));
    assertThat(second.instances().getFirst().instance().parent()).isEqualTo(second.device().uuid());
    assertThat(second.instances().getFirst().instance().uuids())
        .singleElement()
        .asString()
        .startsWith("MIG-");
    assertThat(second.instances().getFirst().readings())
        .containsExactly(
            new Reading(DEV_FB_FREE, 40_576),
            new Reading(DEV_FB_USED, 0),
            new Reading(DEV_FB_RESERVED, 0));
  }

  @Test
  void reportsWhatIsTheBoards_ofTheBoardOnly_andNoUtilizationOfADividedGpu() {
    var first = run(0);

    assertThat(first.readings())
        .extracting(Reading::field)
        .containsExactly(DEV_FB_FREE, DEV_FB_USED, DEV_FB_RESERVED);
    assertThat(first.failed()).isEmpty();
  }

  @Test
  void seesAnotherDivisionAtOnce_whenTheDriverReportsIt() {
    var uuid = run(0).device().uuid();
    script = Script.of(GpuScript.idle(0).with(MigLayout.of(List.of("7g.80gb"))));
    pass.repartitioned(uuid);

    assertThat(profilesOf(run(0))).containsExactly("7g.80gb");
  }

  @Test
  void seesAnotherDivisionWithinTenSeconds_whenTheDriverReportsNothing() {
    run(0);
    script = Script.of(GpuScript.idle(0).with(MigLayout.of(List.of("2g.20gb"))));
    time.advance(Duration.ofSeconds(10));

    assertThat(profilesOf(run(0))).containsExactly("2g.20gb");
  }

  @Test
  void seesAnotherDivisionInTheNextPass_whenAnInstanceIsGone() {
    assertThat(run(0).instances()).hasSize(4);
    script = Script.of(GpuScript.idle(0).with(MigLayout.of(List.of("7g.80gb"))));

    var between = run(0);
    assertThat(between.instances().get(1).readings()).isEmpty();
    assertThat(between.instances().get(1).failed())
        .contains(DEV_FB_FREE, DEV_FB_USED, DEV_FB_RESERVED);

    assertThat(profilesOf(run(0))).containsExactly("7g.80gb");
  }

  @Test
  void seesThatMigWasSwitchedOff() {
    run(0);
    script = Script.of(GpuScript.idle(0).with(MigLayout.OFF));
    time.advance(Duration.ofSeconds(10));

    var whole = run(0);
    assertThat(whole.instances()).isEmpty();
    assertThat(whole.readings()).extracting(Reading::field).contains(DEV_GPU_UTIL);
  }

  @Test
  void hasNoInstances_butEverythingElse_whileTheDriverFailsToListThem() {
    driver.fail("nvmlDeviceGetMigMode", TIMEOUT);

    var sweep = pass.run(WANTED);

    var first = (Answered) sweep.gpus().getFirst();
    assertThat(first.instances()).isEmpty();
    assertThat(first.readings()).hasSize(3);
    assertThat(ErrorCodes.of(sweep.report())).containsEntry("timeout", 2);
    driver.repair();
    assertThat(run(0).instances()).hasSize(4);
  }

  @Test
  void theOthersKeepTheirSeries_whenTheDriverHidesOne() {
    assertThat(idsOf(run(0))).containsExactly(1, 3, 7, 8);
    driver.failIf(HANDLE, this::isSecondOfFirst, NO_PERMISSION);
    time.advance(Duration.ofSeconds(10));

    var sweep = pass.run(WANTED);

    assertThat(idsOf((Answered) sweep.gpus().getFirst())).containsExactly(1, 7, 8);
    assertThat(((Answered) sweep.gpus().getFirst()).instances())
        .allSatisfy(part -> assertThat(part.readings()).hasSize(3));
    assertThat(ErrorCodes.of(sweep.report())).isEqualTo(Map.of("no_permission", 1));
    driver.repair();
    assertThat(idsOf(run(0))).as("what may not be seen is not tried each time").hasSize(3);
    time.advance(Duration.ofSeconds(10));
    assertThat(idsOf(run(0))).containsExactly(1, 3, 7, 8);
  }

  @Test
  void saysOnceThatOneIsHidden_andOnceThatItIsNot() {
    log.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(log);
    try {
      var gpu = "GPU 0 (" + run(0).device().uuid() + "): ";
      driver.failIf(HANDLE, this::isSecondOfFirst, NO_PERMISSION);
      listAgain();
      listAgain();
      driver.repair();
      listAgain();
      listAgain();

      assertThat(log.list)
          .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
          .containsExactly(
              "WARN "
                  + gpu
                  + "the driver refuses 1 of 4 MIG devices; they have no series and are not offered to new pods",
              "INFO " + gpu + "all MIG devices are readable again");
    } finally {
      logger.detachAppender(log);
      logger.setLevel(null);
    }
  }

  private void listAgain() {
    time.advance(Duration.ofSeconds(10));
    run(0);
  }

  @Test
  void oneThatFailedOnceIsThereAgainInTheNextPass() {
    driver.failIf(HANDLE, this::isSecondOfFirst, TIMEOUT);
    assertThat(idsOf(run(0))).containsExactly(1, 7, 8);

    driver.repair();

    assertThat(idsOf(run(0))).containsExactly(1, 3, 7, 8);
  }

  private boolean isSecondOfFirst(Object[] args) {
    return args[0].equals(driver.firstDevice()) && args[1].equals(1);
  }

  private static List<Integer> idsOf(Answered gpu) {
    return gpu.instances().stream().map(part -> part.instance().id()).toList();
  }

  private Answered run(int gpu) {
    return (Answered) pass.run(WANTED).gpus().get(gpu);
  }

  private static List<String> profilesOf(Answered gpu) {
    return gpu.instances().stream()
        .map(InstanceSample::instance)
        .map(instance -> instance.profile())
        .toList();
  }
}
