package io.gpureclaimer.exporter.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.exporter.collect.computed.LoadCollector;
import io.gpureclaimer.exporter.collect.computed.ProcessUtilizationReader;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.PolledGpu;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is asked seldom is not taken for a driver that has gone quiet. */
class QuietDriverTest {
  private final ManualTime time = new ManualTime();
  private final Nvml nvml =
      Nvml.open(
          new SimulatedDriver(
              Profile.named("h100x8").orElseThrow(),
              "a",
              () -> Script.of(GpuScript.busy(0, 100)),
              time));
  private final PolledGpu gpu =
      new PolledGpu(
          nvml,
          ((Value<GpuHandle>) nvml.handle(0)).value(),
          new Gpu(0, new GpuUuid("GPU-a"), "00000000:19:00.0", "H100"));

  @AfterEach
  void close() {
    nvml.close();
  }

  @Test
  void theSamplesSinceTheLastPassCount_howeverLongAgoThatWas() {
    var loads = new LoadCollector(time);
    assertThat(load(loads)).isEqualTo(new UtilizationSamples.Unknown());

    time.advance(Duration.ofSeconds(10));
    assertThat(load(loads)).isEqualTo(new UtilizationSamples.Measured(100, 100));
    time.advance(Duration.ofSeconds(10));
    assertThat(load(loads)).isEqualTo(new UtilizationSamples.Measured(100, 100));
  }

  @Test
  void aBusyPodIsNotReportedIdle_whenTheDriverIsPolledSeldom() {
    var busy = new ProcessUtilizationReader(time);
    for (int pass = 0; pass < 3; pass++) {
      time.advance(Duration.ofSeconds(30));
      busy.lately(gpu, new Readings(Set.of()));
    }
    time.advance(Duration.ofSeconds(30));

    assertThat(busy.lately(gpu, new Readings(Set.of())))
        .hasValueSatisfying(processes -> assertThat(processes).isEmpty());
  }

  private UtilizationSamples load(LoadCollector loads) {
    var readings = new Readings(Set.of());
    loads.collect(gpu, readings);
    return readings.load();
  }
}
