package io.gpureclaimer.exporter.collect.computed;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.ErrorCodes;
import io.gpureclaimer.exporter.collect.SampledNode;
import io.gpureclaimer.exporter.collect.fields.UtilizationCollector;
import io.gpureclaimer.exporter.collect.pass.SamplingPass.PassResult;
import io.gpureclaimer.exporter.sample.DeviceProcesses;
import io.gpureclaimer.exporter.sample.DeviceProcesses.ProcessUse;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.ScriptedProcess;
import io.gpureclaimer.simulator.ScriptedProcess.ProcessList;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The processes on each GPU, as a sampling pass sees them. */
class ProcessCollectorTest {
  private static final int TIMEOUT = 10;
  private static final int UNKNOWN_ERROR = 999;
  private static final long MIB = 1 << 20;

  private final ManualTime time = new ManualTime();
  private volatile Script script =
      Script.of(
          GpuScript.busy(0, 60)
              .running(
                  process(10, OptionalInt.of(5), 40, ProcessList.COMPUTE),
                  process(11, OptionalInt.empty(), 0, ProcessList.MPS),
                  process(12, OptionalInt.of(1), 7, ProcessList.GRAPHICS)),
          GpuScript.idle(1).running(process(20, OptionalInt.of(3), 0, ProcessList.COMPUTE)));
  private final FaultyDriver driver =
      new FaultyDriver(
          new SimulatedDriver(Profile.named("t4x4").orElseThrow(), "a", () -> script, time));
  private final SampledNode pass =
      new SampledNode(
          driver.library(),
          4,
          List.of(new UtilizationCollector(), new ProcessCollector(time)),
          SampledNode.PATIENT,
          time,
          time);

  @AfterEach
  void close() {
    pass.close();
  }

  @Test
  void listsTheProcessesOfEachGpu_withTheirTimeOnceItIsKnown() {
    assertThat(processes(run(), 0))
        .isEqualTo(on(false, use(10, 5, null), new ProcessUse(11, null, null), use(12, 1, null)));
    assertThat(processes(later(), 1))
        .as("may only not be reported yet")
        .isEqualTo(on(false, use(20, 3, null)));
    var second = later();

    assertThat(processes(second, 0))
        .isEqualTo(on(true, use(10, 5, 40.0), new ProcessUse(11, null, 0.0), use(12, 1, 7.0)));
    assertThat(processes(second, 1)).isEqualTo(on(true, use(20, 3, 0.0)));
    assertThat(processes(second, 2)).isEqualTo(on(true));
  }

  @Test
  void whatTheDriverLastSaidStands_untilItSamplesAgain_butNotForLong() {
    run();
    later();

    assertThat(processes(run(), 0).running()).contains(use(10, 5, 40.0));

    script =
        Script.of(
            GpuScript.idle(0).running(process(10, OptionalInt.of(5), 0, ProcessList.COMPUTE)));
    assertThat(processes(later(), 0).running()).containsExactly(use(10, 5, 40.0));
    assertThat(processes(later(), 0).running()).containsExactly(use(10, 5, 0.0));
  }

  @Test
  void whatTheDriverLastSaidOfAProcessStands_whenItSamplesAnotherOneInBetween() {
    run();
    script = bothOf(40, 0);
    later();
    assertThat(processes(later(), 0).running()).contains(use(10, 5, 40.0), use(12, 1, 0.0));

    script = bothOf(0, 30);
    assertThat(processes(later(), 0).running()).contains(use(10, 5, 40.0), use(12, 1, 30.0));
    assertThat(processes(later(), 0).running()).contains(use(10, 5, 0.0), use(12, 1, 30.0));
  }

  @Test
  void theNewestThatTheDriverSaysOfAProcessCounts() {
    run();
    script = bothOf(40, 0);
    later();
    later();
    script = bothOf(9, 0);

    assertThat(processes(later(), 0).running()).contains(use(10, 5, 9.0));
  }

  @Test
  void takesWhatCameSinceTheLastPass_howeverLongAgoThatWas() {
    run();
    later();
    script =
        Script.of(
            GpuScript.idle(0).running(process(10, OptionalInt.of(5), 0, ProcessList.COMPUTE)));
    time.advance(Duration.ofSeconds(5));
    script =
        Script.of(
            GpuScript.busy(0, 9).running(process(10, OptionalInt.of(5), 9, ProcessList.COMPUTE)));

    assertThat(processes(run(), 0).running()).containsExactly(use(10, 5, 9.0));
  }

  @Test
  void saysNothingOfTheGpuWhoseProcessesCannotBeListed_andAllOfTheOthers() {
    run();
    later();
    driver.failOfFirst("nvmlDeviceGetGraphicsRunningProcesses_v2", TIMEOUT);

    var sweep = later();

    assertThat(answered(sweep, 0).processes()).isEmpty();
    assertThat(answered(sweep, 0).readings()).isNotEmpty();
    assertThat(processes(sweep, 1)).isEqualTo(on(true, use(20, 3, 0.0)));
    assertThat(ErrorCodes.of(sweep.report())).isEqualTo(Map.of("timeout", 1));
  }

  @Test
  void keepsTheMemory_whenTheTimesAreUnknown() {
    run();
    later();
    driver.failOfFirst("nvmlDeviceGetProcessUtilization", UNKNOWN_ERROR);
    assertThat(processes(later(), 0).running()).contains(use(10, 5, null));

    driver.repair();
    assertThat(processes(later(), 0).hasSm()).as("only from the next look on").isFalse();
    assertThat(processes(later(), 0).running()).contains(use(10, 5, 40.0));
  }

  private static Script bothOf(int first, int second) {
    return Script.of(
        GpuScript.busy(0, 60)
            .running(
                process(10, OptionalInt.of(5), first, ProcessList.COMPUTE),
                process(12, OptionalInt.of(1), second, ProcessList.COMPUTE)));
  }

  private PassResult later() {
    time.advance(Duration.ofSeconds(1));
    return run();
  }

  private PassResult run() {
    return pass.run(Set.of(DcgmField.DEV_GPU_UTIL));
  }

  private static Answered answered(PassResult sweep, int gpu) {
    return (Answered) sweep.gpus().get(gpu);
  }

  private static DeviceProcesses processes(PassResult sweep, int gpu) {
    var answered = answered(sweep, gpu);
    return requireNonNull(answered.processes().get(Entity.whole(answered.device().uuid())));
  }

  private static DeviceProcesses on(boolean hasSm, ProcessUse... running) {
    return new DeviceProcesses(List.of(running), hasSm);
  }

  private static ProcessUse use(long pid, long mib, @Nullable Double percent) {
    return new ProcessUse(pid, mib * MIB, percent);
  }

  private static ScriptedProcess process(int pid, OptionalInt mib, int sm, ProcessList kind) {
    return new ScriptedProcess(pid, mib, sm, kind, OptionalInt.empty());
  }
}
