package io.gpureclaimer.exporter.collect.pass;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_MEM_COPY_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_POWER_USAGE;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_SM_CLOCK;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.ErrorCodes;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.collect.SampledNode;
import io.gpureclaimer.exporter.collect.fields.ClockCollector;
import io.gpureclaimer.exporter.collect.fields.PowerCollector;
import io.gpureclaimer.exporter.collect.fields.UtilizationCollector;
import io.gpureclaimer.exporter.collect.pass.SamplingPass.PassResult;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Failed;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.PassReport.CallError;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.nvml.poll.GpuPoller.Deadlines;
import io.gpureclaimer.nvml.poll.PolledGpu;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SamplingPassTest {
  private static final int NOT_SUPPORTED = 3;
  private static final int TIMEOUT = 10;
  private static final int UNINITIALIZED = 1;
  private static final Deadlines DEADLINES =
      new Deadlines(
          Duration.ofMillis(300),
          Duration.ofSeconds(4),
          Duration.ofSeconds(30),
          Duration.ofSeconds(5),
          Duration.ofHours(1));
  private static final List<Collector> COLLECTORS =
      List.of(new ClockCollector(), new PowerCollector(), new UtilizationCollector());

  private static final Set<DcgmField> WANTED =
      COLLECTORS.stream().flatMap(c -> c.fields().stream()).collect(Collectors.toSet());

  private final ManualTime time = new ManualTime();
  private volatile Script script = Script.IDLE;
  private final FaultyDriver driver =
      new FaultyDriver(
          new SimulatedDriver(Profile.named("t4x4").orElseThrow(), "a", () -> script, time));
  private final SampledNode pass = node(4, COLLECTORS, DEADLINES, time);

  @AfterEach
  void close() {
    script = Script.IDLE;
    driver.repair();
    pass.close();
  }

  @Test
  void readsEveryGpu() {
    script = Script.of(GpuScript.busy(2, 100));

    var sweep = run();

    assertThat(states(sweep))
        .containsExactly(Answered.class, Answered.class, Answered.class, Answered.class);
    assertThat(utilizationOf(sweep, 2)).isEqualTo(100);
    assertThat(utilizationOf(sweep, 3)).isZero();
  }

  @Test
  void asksADeviceForItsIdentityOnce() {
    run();
    run();

    assertThat(driver.callsOf("nvmlDeviceGetUUID")).isEqualTo(4);
    assertThat(driver.callsOf("nvmlDeviceGetHandleByIndex_v2")).isEqualTo(4);
  }

  @Test
  void identifiesAllGpusAgain_whenTheNumberOfDevicesChanges() {
    run();
    pass.count(3);
    var fewer = pass.run(WANTED);

    assertThat(fewer.gpus()).hasSize(3);
    assertThat(driver.callsOf("nvmlDeviceGetUUID")).isEqualTo(7);
  }

  @Test
  void identifiesAllGpusAgain_whenTheSessionWasOpenedAgain() {
    run();
    pass.endSession();
    pass.run(WANTED);

    assertThat(driver.callsOf("nvmlDeviceGetUUID")).isEqualTo(8);
  }

  @Test
  void dropsEverythingOfALostGpu_andNothingOfTheOthers() {
    var before = run();
    script = Script.of(GpuScript.broken(1, Fault.LOST));

    var after = run();

    assertThat(states(after))
        .containsExactly(Answered.class, Lost.class, Answered.class, Answered.class);
    assertThat(after.gpus().get(1).gpu()).isEqualTo(before.gpus().get(1).gpu());
    assertThat(after.gpus().get(0)).isEqualTo(before.gpus().get(0));
    assertThat(ErrorCodes.of(after.report())).containsOnlyKeys("gpu_is_lost");
  }

  @Test
  void knowsOnlyTheIndexOfAGpuThatWasLostBeforeWeCame() {
    script = Script.of(GpuScript.broken(3, Fault.LOST));

    assertThat(run().gpus().get(3)).isEqualTo(new Lost(3, null));
  }

  @Test
  void asksALostGpuAgain_whenItReturns() {
    script = Script.of(GpuScript.broken(3, Fault.LOST));
    run();
    script = Script.IDLE;
    time.advance(DEADLINES.identifyAfter());

    assertThat(run().gpus().get(3)).isInstanceOf(Answered.class);
  }

  @Test
  void leavesOutWhatABoardDoesNotHave() {
    script = Script.of(GpuScript.broken(0, Fault.POWER_UNSUPPORTED));

    var sweep = run();

    assertThat(fieldsOf(sweep, 0)).contains(DEV_SM_CLOCK).doesNotContain(DEV_POWER_USAGE);
    assertThat(fieldsOf(sweep, 1)).contains(DEV_SM_CLOCK, DEV_POWER_USAGE);
    assertThat(ErrorCodes.of(sweep.report())).isEmpty();
  }

  @Test
  void leavesOutWhatFails_andCountsIt() {
    driver.fail("nvmlDeviceGetPowerUsage", TIMEOUT);

    var sweep = run();

    assertThat(fieldsOf(sweep, 0)).contains(DEV_SM_CLOCK).doesNotContain(DEV_POWER_USAGE);
    assertThat(ErrorCodes.of(sweep.report())).isEqualTo(Map.of("timeout", 4));
    assertThat(sweep.report().errors())
        .containsEntry(new CallError(0, "nvmlDeviceGetPowerUsage", "timeout"), 1)
        .containsEntry(new CallError(3, "nvmlDeviceGetPowerUsage", "timeout"), 1);
    assertThat(failuresOf(sweep, "power")).isEqualTo(4);
    assertThat(failuresOf(sweep, "clock")).isZero();
  }

  @Test
  void reportsWhichFieldsFailed_andNotThoseThatAreUnsupported() {
    script = Script.of(GpuScript.broken(0, Fault.POWER_UNSUPPORTED));
    driver.fail("nvmlDeviceGetUtilizationRates", TIMEOUT);

    assertThat(((Answered) run().gpus().getFirst()).failed())
        .containsExactlyInAnyOrder(DEV_GPU_UTIL, DEV_MEM_COPY_UTIL);
  }

  @Test
  void saysWhy_whenAGpuCannotBeIdentified() {
    driver.fail("nvmlDeviceGetUUID", TIMEOUT);

    assertThat(run().gpus().getFirst())
        .isEqualTo(new Failed(0, null, "its UUID cannot be read: timeout (code 10)"));
  }

  /** As those of a Jetson. */
  @Test
  void meetsAGpuThatIsOnNoBus() {
    driver.fail("nvmlDeviceGetPciInfo_v3", NOT_SUPPORTED);

    var sweep = run();

    assertThat(((Answered) sweep.gpus().getFirst()).device().pciBusId()).isNull();
    assertThat(fieldsOf(sweep, 0)).contains(DEV_SM_CLOCK, DEV_POWER_USAGE);
    assertThat(ErrorCodes.of(sweep.report())).isEmpty();
  }

  @Test
  void saysWhy_whenAGpuHasNoName() {
    driver.fail("nvmlDeviceGetUUID", NOT_SUPPORTED);

    assertThat(run().gpus().getFirst())
        .isEqualTo(new Failed(0, null, "its UUID cannot be read: not supported"));
  }

  @Test
  void leavesAHungGpuAlone_andGoesOnWithTheOthers() {
    var before = run();
    script = Script.of(GpuScript.broken(1, Fault.HANG));

    var during = run();
    long calls = driver.callsOf("nvmlDeviceGetUtilizationRates");
    var later = run();

    assertThat(states(during))
        .containsExactly(Answered.class, Hung.class, Answered.class, Answered.class);
    assertThat(during.gpus().get(1).gpu()).isEqualTo(before.gpus().get(1).gpu());
    assertThat(later.gpus()).isEqualTo(during.gpus());
    assertThat(driver.callsOf("nvmlDeviceGetUtilizationRates")).isEqualTo(calls + 3);
  }

  @Test
  void asksAHungGpuAgain_whenItsCallHasReturned() {
    run();
    script = Script.of(GpuScript.broken(1, Fault.HANG));
    run();
    script = Script.IDLE;

    await().until(() -> run().gpus().get(1) instanceof Answered);
  }

  @Test
  void leavesGpusAlone_whichHangBeforeTheyAreKnown() {
    pass.count(2);
    driver.hang("nvmlDeviceGetUUID");

    assertThat(pass.run(WANTED).gpus()).containsExactly(new Hung(0, null), new Hung(1, null));
    driver.repair();
    await().until(() -> states(pass.run(WANTED)).stream().allMatch(Answered.class::equals));
    assertThat(driver.callsOf("nvmlDeviceGetUUID")).isEqualTo(2);
  }

  @Test
  void introducesAGpuAgain_onlyAfterAPause_whenItCouldNotBeIdentified() {
    driver.fail("nvmlDeviceGetUUID", TIMEOUT);
    var first = run();
    driver.repair();

    time.advance(DEADLINES.identifyAfter().minusNanos(1));
    assertThat(run().gpus()).isEqualTo(first.gpus());
    assertThat(driver.callsOf("nvmlDeviceGetUUID")).isEqualTo(4);
    time.advance(Duration.ofNanos(1));
    assertThat(states(run())).containsOnly(Answered.class);
  }

  @Test
  void takesNoLongerThanAPassMay_howeverManyGpusHang() {
    var patient =
        new Deadlines(
            Duration.ofMinutes(1),
            Duration.ofMillis(400),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofHours(1));
    var bounded = node(4, COLLECTORS, patient, MonotonicClock.SYSTEM);
    driver.hang("nvmlDeviceGetUUID");

    var sweep = bounded.run(WANTED);

    assertThat(states(sweep)).containsOnly(Hung.class);
    assertThat(sweep.report().took()).isLessThan(Duration.ofSeconds(5));
  }

  /** Whatever is done for the first time takes the program longer than the GPU. */
  @Test
  void isPatientWithTheFirstGpuOfAll_andAsShortOfTimeAsEverAfterIt() throws InterruptedException {
    var deadlines =
        new Deadlines(
            Duration.ofMinutes(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofHours(1));
    var begins = node(4, COLLECTORS, deadlines, MonotonicClock.SYSTEM);
    driver.hang("nvmlDeviceGetUUID");
    var warm = Thread.ofVirtual().start(this::repairAfterASecond);

    var sweep = begins.run(WANTED);
    warm.join();

    assertThat(states(sweep)).containsOnly(Answered.class);
    script = Script.of(GpuScript.broken(0, Fault.HANG));
    assertThat(states(begins.run(WANTED)))
        .containsExactly(Hung.class, Answered.class, Answered.class, Answered.class);
  }

  /** They are asked after the others, and find their share of the time nevertheless. */
  @Test
  void hasTimeLeftForAGpuThatComesBack_whenOthersHang() {
    var deadlines =
        new Deadlines(
            Duration.ofMinutes(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofHours(1));
    var bounded = node(4, COLLECTORS, deadlines, MonotonicClock.SYSTEM);
    bounded.run(WANTED);
    script = Script.of(GpuScript.broken(0, Fault.LOST));
    bounded.run(WANTED);
    script = Script.of(GpuScript.broken(2, Fault.HANG), GpuScript.broken(3, Fault.HANG));

    assertThat(states(bounded.run(WANTED)))
        .containsExactly(Answered.class, Answered.class, Hung.class, Hung.class);
  }

  private void repairAfterASecond() {
    try {
      Thread.sleep(1000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    driver.repair();
  }

  @Test
  void takesWhatCameLate_withTheTimeAtWhichItWasAsked() {
    run();
    var asked = time.instant();
    script = Script.of(GpuScript.broken(1, Fault.HANG));
    run();
    time.advance(Duration.ofMillis(700));
    script = Script.IDLE;

    assertThat(answeredAt(awaitAnswer(1), 1)).isEqualTo(asked);
  }

  @Test
  void asksASlowGpuAhead_soThatItAnswersInEveryPass() {
    run();
    script = Script.of(GpuScript.broken(1, Fault.HANG));
    run();
    time.advance(Duration.ofMillis(700));
    script = Script.IDLE;
    awaitAnswer(1);
    await().until(() -> !pass.thread.hasHungCall());
    var askedAhead = time.instant();
    time.advance(Duration.ofMillis(300));

    assertThat(answeredAt(run(), 1)).isEqualTo(askedAhead);
  }

  @Test
  void asksAgain_whenWhatCameIsTooOld() {
    run();
    script = Script.of(GpuScript.broken(1, Fault.HANG));
    run();
    time.advance(DEADLINES.tooLate().plusNanos(1));
    script = Script.IDLE;

    assertThat(answeredAt(awaitAnswer(1), 1)).isEqualTo(time.instant());
  }

  @Test
  void keepsAHungGpuApart_whenTheSessionIsOpenedAgain() {
    run();
    script = Script.of(GpuScript.broken(1, Fault.HANG));
    run();

    driver.fail("nvmlDeviceGetClockInfo", UNINITIALIZED);
    run();
    driver.repair();
    var sweep = run();

    assertThat(states(sweep))
        .containsExactly(Answered.class, Hung.class, Answered.class, Answered.class);
  }

  @Test
  void letsTheOtherCollectorsGoOn_whenOneBreaks() {
    var broken =
        new Collector() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public Set<DcgmField> fields() {
            return Set.of(DcgmField.DEV_POWER_USAGE);
          }

          @Override
          public void collect(PolledGpu device, Readings into) {
            throw new IllegalStateException("a defect");
          }
        };
    var withBroken = node(4, List.of(broken, new UtilizationCollector()), DEADLINES, time);

    var sweep = withBroken.run(WANTED);

    assertThat(utilizationOf(sweep, 0)).isZero();
    assertThat(failuresOf(sweep, "broken")).isEqualTo(4);
  }

  @Test
  void reportsTheDriverDown_whenTheSessionIsGone() {
    run();
    driver.fail("nvmlDeviceGetClockInfo", UNINITIALIZED);

    assertThat(run().driver()).isInstanceOf(DriverState.Down.class);
  }

  private SampledNode node(
      int gpus, List<Collector> collectors, Deadlines deadlines, MonotonicClock monotonic) {
    return new SampledNode(driver.library(), gpus, collectors, deadlines, monotonic, time);
  }

  private PassResult awaitAnswer(int index) {
    return await().until(this::run, sweep -> sweep.gpus().get(index) instanceof Answered);
  }

  private static Instant answeredAt(PassResult sweep, int index) {
    return ((Answered) sweep.gpus().get(index)).at();
  }

  private PassResult run() {
    return pass.run(WANTED);
  }

  private static List<Class<?>> states(PassResult sweep) {
    return sweep.gpus().stream().<Class<?>>map(GpuSample::getClass).toList();
  }

  private static int failuresOf(PassResult sweep, String collector) {
    return requireNonNull(sweep.report().collectors().get(collector)).failures();
  }

  private static List<Object> fieldsOf(PassResult sweep, int index) {
    return readings(sweep, index).stream().<Object>map(Reading::field).toList();
  }

  private static double utilizationOf(PassResult sweep, int index) {
    return readings(sweep, index).stream()
        .filter(reading -> reading.field() == DEV_GPU_UTIL)
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static List<Reading> readings(PassResult sweep, int index) {
    return ((Answered) sweep.gpus().get(index)).readings();
  }
}
