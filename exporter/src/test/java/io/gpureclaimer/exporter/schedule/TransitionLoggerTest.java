package io.gpureclaimer.exporter.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.DriverState.Down;
import io.gpureclaimer.exporter.sample.DriverState.Up;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Failed;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.PassReport.CallError;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("reads the log")
class TransitionLoggerTest {
  private static final Gpu GPU = new Gpu(0, new GpuUuid("GPU-a"), "00000000:19:00.0", "H100");
  private static final Up UP = new Up("570");

  @RegisterExtension
  private final LogLines log = new LogLines(TransitionLogger.class.getPackageName());

  private final TransitionLogger transitions = new TransitionLogger();

  @Test
  void saysWhatIsThere_onceAndNotAtEveryPass() {
    see(UP, answered(1));
    see(UP, answered(2));

    assertThat(said())
        .containsExactly(
            "INFO driver 570 is up, with 1 GPU",
            "INFO GPU 0 (GPU-a) found: H100 at 00000000:19:00.0");
  }

  @Test
  void saysWhatHappensToAGpu() {
    see(UP, answered(1));
    log.clear();
    see(UP, new Hung(0, GPU));
    see(UP, new Hung(0, GPU));
    see(UP, new Lost(0, GPU));
    see(UP, new Failed(0, GPU, "timeout"));
    see(UP, new Failed(0, GPU, "no permission"));
    see(UP, answered(1));

    assertThat(said())
        .containsExactly(
            "ERROR GPU 0 (GPU-a) hangs: a driver call has not returned",
            "ERROR GPU 0 (GPU-a) is lost: it has fallen off the bus",
            "WARN GPU 0 (GPU-a) does not respond: timeout",
            "WARN GPU 0 (GPU-a) does not respond: no permission",
            "INFO GPU 0 (GPU-a) answers again: H100 at 00000000:19:00.0");
  }

  @Test
  void saysWhichGpuIsRemoved_whenTheOthersMoveUp() {
    see(UP, answered(1), answeredAt(1));
    log.clear();
    see(UP, answeredAt(0));
    see(UP, answeredAt(0));

    assertThat(said())
        .containsExactly(
            "INFO GPU 1 (GPU-b) is now GPU 0",
            "ERROR GPU 0 (GPU-a) is no longer listed by the driver; its series end");
  }

  @Test
  void saysNothingOfGpus_whileTheDriverIsDown() {
    see(UP, answered(1));
    log.clear();
    see(new Down("driver not loaded"));

    assertThat(said()).containsExactly("ERROR the driver is down: driver not loaded");
  }

  @Test
  void saysWhyTheDriverIsDown_andAgainOnlyWhenTheReasonChanges() {
    see(new Down("driver not loaded"));
    see(new Down("driver not loaded"));
    see(new Down("library not found"));

    assertThat(said())
        .containsExactly(
            "ERROR the driver is down: driver not loaded",
            "ERROR the driver is down: library not found");
  }

  @Test
  void saysThatTheSamplesAreRefused_onceAndOnlyWhenThatLasts() {
    see(UP, with(new UtilizationSamples.Failed("timeout")));
    see(UP, with(new UtilizationSamples.Unknown()));
    log.clear();
    for (int pass = 0; pass < 20; pass++) {
      see(UP, with(new UtilizationSamples.Failed("no permission")));
    }
    see(UP, with(new UtilizationSamples.Measured(0, 0)));

    assertThat(said())
        .containsExactly(
            "WARN GPU 0 (GPU-a): the driver returns no utilization samples: no permission; pods"
                + " whose activity depends on them are not observed",
            "INFO GPU 0 (GPU-a): the driver returns utilization samples again");
  }

  @Test
  void saysWhenACallBeginsAndNoLongerFails_ofAllGpusInOneLine() {
    see(UP, answered(1), answeredAt(1));
    log.clear();
    for (int pass = 0; pass < 30; pass++) {
      seeFailing(pass % 5 == 0 ? Set.of() : Set.of(power(0), power(1), power(2)));
    }
    for (int pass = 0; pass < 30; pass++) {
      seeFailing(Set.of());
    }

    assertThat(said())
        .containsExactly(
            "WARN driver call nvmlDeviceGetPowerUsage (timeout) fails, GPU 0, 1; its readings are"
                + " missing until it succeeds",
            "INFO driver call nvmlDeviceGetPowerUsage (timeout) no longer fails, GPU 0, 1");
  }

  /** GPU 2 does not respond at all, which is another line. */
  private void seeFailing(Set<CallError> errors) {
    var failures = errors.stream().collect(Collectors.toMap(error -> error, _ -> 1));
    transitions.log(
        new Snapshot(
            Instant.EPOCH,
            "node-a",
            UP,
            List.of(answered(1), answeredAt(1)),
            Map.of(),
            new PassReport(Duration.ZERO, failures, Map.of())));
  }

  private static CallError power(int gpu) {
    return new CallError(gpu, "nvmlDeviceGetPowerUsage", "timeout");
  }

  private static Answered answeredAt(int index) {
    return new Answered(
        new Gpu(index, new GpuUuid("GPU-b"), null, "H100"), Instant.EPOCH, List.of());
  }

  private static Answered with(UtilizationSamples load) {
    return new Answered(
        GPU, Instant.EPOCH, List.of(), Set.of(), Map.of(), List.of(), load, Map.of());
  }

  private void see(DriverState driver, GpuSample... gpus) {
    transitions.log(
        new Snapshot(
            Instant.EPOCH, "node-a", driver, List.of(gpus), Map.of(), PassReport.NOTHING_ASKED));
  }

  private static Answered answered(double utilization) {
    return new Answered(
        GPU, Instant.EPOCH, List.of(new Reading(DcgmField.DEV_GPU_UTIL, utilization)));
  }

  private List<String> said() {
    return log.lines();
  }
}
