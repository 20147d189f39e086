package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_MEMORY_TEMP;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_POWER_USAGE;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_TOTAL_ENERGY_CONSUMPTION;
import static io.gpureclaimer.common.vocabulary.DcgmField.PROF_GR_ENGINE_ACTIVE;
import static io.gpureclaimer.common.vocabulary.DcgmField.PROF_SM_ACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.pass.SamplingPass.PassResult;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.nvml.binding.NvmlGpmMetrics;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import jnr.ffi.Pointer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call in bulk that fails: what is kept, what is missing, and that it counts once. */
class BulkFaultsTest {
  private static final int UNKNOWN = 999;
  private static final int NO_PERMISSION = 4;
  private static final int GPUS = 8;
  private static final Set<DcgmField> WANTED =
      Set.of(DEV_MEMORY_TEMP, DEV_TOTAL_ENERGY_CONSUMPTION, DEV_POWER_USAGE, PROF_SM_ACTIVE);
  private static final Set<DcgmField> WITH_ENGINES =
      Set.of(DEV_POWER_USAGE, PROF_SM_ACTIVE, PROF_GR_ENGINE_ACTIVE);

  private final ManualTime time = new ManualTime();
  private final FaultyDriver driver =
      new FaultyDriver(
          new SimulatedDriver(
              Profile.named("h100x8").orElseThrow(), "node-a", () -> Script.IDLE, time));
  private final SampledNode pass =
      new SampledNode(
          driver.library(), GPUS, AllCollectors.with(time), SampledNode.PATIENT, time, time);

  @AfterEach
  void close() {
    pass.close();
  }

  @Test
  void theFieldsFailTogetherAndCountOnce_andTheRestIsReported() {
    run();
    driver.fail("nvmlDeviceGetFieldValues", UNKNOWN);

    var sweep = run();

    assertThat(reported(sweep)).isEqualTo(Set.of(DEV_POWER_USAGE, PROF_SM_ACTIVE));
    assertThat(first(sweep).failed())
        .isEqualTo(Set.of(DEV_MEMORY_TEMP, DEV_TOTAL_ENERGY_CONSUMPTION));
    assertThat(ErrorCodes.of(sweep.report())).containsEntry("unknown", GPUS).hasSize(1);
  }

  @Test
  void whatIsMeasuredFailsAlone_andIsReportedAgainAfterTwoLooks() {
    run();
    driver.fail("nvmlGpmSampleGet", UNKNOWN);
    var broken = run();
    driver.repair();

    assertThat(first(broken).failed()).isEqualTo(Set.of(PROF_SM_ACTIVE));
    assertThat(reported(run())).doesNotContain(PROF_SM_ACTIVE);
    assertThat(reported(run())).isEqualTo(WANTED);
  }

  /** Else no work would ever be judged where performance counters are for administrators only. */
  @Test
  void whatWeMayNotMeasureCountsAndIsAbsent_andDidNotFailToBeReported() {
    driver.fail("nvmlGpmSampleGet", NO_PERMISSION);

    var sweep = run();

    assertThat(reported(sweep)).doesNotContain(PROF_SM_ACTIVE);
    assertThat(first(sweep).failed()).isEmpty();
    assertThat(ErrorCodes.of(sweep.report())).isEqualTo(Map.of("no_permission", GPUS));
  }

  /** The same where the driver refuses each metric, and not the call. */
  @Test
  void metricsThatWeMayNotSeeCountAndAreAbsent_andDidNotFailToBeReported() {
    run();
    driver.change("nvmlGpmMetricsGet", args -> refuse(args, Integer.MAX_VALUE));

    run(WITH_ENGINES);
    var sweep = run(WITH_ENGINES);

    assertThat(reported(sweep)).doesNotContain(PROF_SM_ACTIVE, PROF_GR_ENGINE_ACTIVE);
    assertThat(first(sweep).failed()).isEmpty();
    assertThat(ErrorCodes.of(sweep.report())).isEqualTo(Map.of("no_permission", 2 * GPUS));
  }

  /** The reported field alone does not prove that the GPU is idle. */
  @Test
  void aMetricThatIsRefusedBesideOneThatIsReportedFailedToBeReported() {
    run();
    driver.change("nvmlGpmMetricsGet", args -> refuse(args, 1));

    run(WITH_ENGINES);
    var sweep = run(WITH_ENGINES);

    assertThat(reported(sweep)).contains(PROF_SM_ACTIVE);
    assertThat(first(sweep).failed()).isEqualTo(Set.of(PROF_GR_ENGINE_ACTIVE));
  }

  private static void refuse(Object[] args, int atMost) {
    var metrics = new NvmlGpmMetrics((Pointer) args[0]);
    for (int entry = 0; entry < Math.min(atMost, metrics.count()); entry++) {
      metrics.answer(entry, NO_PERMISSION, Double.NaN);
    }
  }

  @Test
  void nothingIsAskedThatIsNotWanted() {
    pass.run(Set.of(DEV_POWER_USAGE));
    long factsOnly = driver.callsOf("nvmlDeviceGetFieldValues");
    pass.run(Set.of(DEV_POWER_USAGE));

    assertThat(driver.callsOf("nvmlDeviceGetFieldValues")).isEqualTo(factsOnly);
    assertThat(driver.callsOf("nvmlGpmSampleGet")).isZero();
    assertThat(driver.callsOf("nvmlDeviceGetPowerUsage")).isEqualTo(2 * GPUS);
  }

  @Test
  void allFieldsOfAGpuAreOneCall() {
    run();
    long before = driver.callsOf("nvmlDeviceGetFieldValues");
    run();

    assertThat(driver.callsOf("nvmlDeviceGetFieldValues") - before).isEqualTo(GPUS);
  }

  private PassResult run() {
    return run(WANTED);
  }

  private PassResult run(Set<DcgmField> wanted) {
    time.advance(Duration.ofSeconds(1));
    return pass.run(wanted);
  }

  private static Answered first(PassResult sweep) {
    return (Answered) sweep.gpus().getFirst();
  }

  private static Set<DcgmField> reported(PassResult sweep) {
    return first(sweep).readings().stream().map(Reading::field).collect(Collectors.toSet());
  }
}
