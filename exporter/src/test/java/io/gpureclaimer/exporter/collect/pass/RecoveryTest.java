package io.gpureclaimer.exporter.collect.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.SampledNode;
import io.gpureclaimer.exporter.collect.fields.PowerCollector;
import io.gpureclaimer.exporter.config.DriverConfig;
import io.gpureclaimer.exporter.config.SamplingConfig;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.nvml.poll.GpuPoller.Deadlines;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the default settings a GPU returns at most ten seconds after its recovery. */
// Contexts of one process share what annotations refer to: one that closes fails another that
// starts.
@ResourceLock("ApplicationContext")
class RecoveryTest {
  private static final int PROMISED_SECONDS = 10;
  private static final int UNKNOWN = 999;
  private static final List<Collector> COLLECTORS = List.of(new PowerCollector());
  private static final Set<DcgmField> WANTED =
      COLLECTORS.stream().flatMap(it -> it.fields().stream()).collect(Collectors.toSet());

  @AutoClose
  private static final ApplicationContext DEFAULTS =
      ApplicationContext.builder().deduceEnvironment(false).start();

  private final ManualTime time = new ManualTime();
  private volatile Script script = Script.IDLE;
  private final FaultyDriver driver =
      new FaultyDriver(
          new SimulatedDriver(Profile.named("t4x4").orElseThrow(), "a", () -> script, time));

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 13, 21, 29, 31, 59})
  void aLostGpu(int secondsLost) {
    assertThat(
            secondsUntilItReturns(secondsLost, () -> script = lost(), () -> script = Script.IDLE))
        .isLessThanOrEqualTo(PROMISED_SECONDS);
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 12, 15, 22, 40})
  void aGpuWhoseHandleWasRefused(int secondsRefused) {
    assertThat(
            secondsUntilItReturns(
                secondsRefused,
                () ->
                    driver.failIf(
                        "nvmlDeviceGetHandleByIndex_v2", args -> args[0].equals(3), UNKNOWN),
                driver::repair))
        .isLessThanOrEqualTo(PROMISED_SECONDS);
  }

  private static Script lost() {
    return Script.of(GpuScript.broken(3, Fault.LOST));
  }

  private int secondsUntilItReturns(int secondsIll, Runnable fault, Runnable repair) {
    SamplingConfig sampling = DEFAULTS.getBean(SamplingConfig.class);
    try (var node = node(sampling, DEFAULTS.getBean(DriverConfig.class))) {
      assertThat(sampling.interval()).isEqualTo(Duration.ofSeconds(1));
      assertThat(responds(node)).isTrue();
      fault.run();
      for (int second = 0; second < secondsIll; second++) {
        responds(node);
      }
      repair.run();
      int seconds = 1;
      while (!responds(node) && seconds < 60) {
        seconds++;
      }
      return seconds;
    }
  }

  private boolean responds(SampledNode node) {
    time.advance(Duration.ofSeconds(1));
    return node.run(WANTED).gpus().get(3) instanceof Answered;
  }

  private SampledNode node(SamplingConfig sampling, DriverConfig config) {
    return new SampledNode(
        driver.library(),
        4,
        COLLECTORS,
        new Deadlines(
            sampling.turnDeadline(),
            sampling.passDeadline(),
            sampling.introduceAfter(),
            sampling.longestServed(),
            config.deadline()),
        time,
        time);
  }
}
