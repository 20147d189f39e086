package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_FB_USED;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.computed.ProcessCollector;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.sample.DeviceProcesses;
import io.gpureclaimer.exporter.sample.DeviceProcesses.ProcessUse;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.nvml.ForeignLibrary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passes over the GPUs of a library that is not NVIDIA's. */
class ForeignLibraryPassTest {
  private static final int GPUS = 4;
  private static final long GIB = 1 << 30;

  @TempDir private Path folder;
  private final ManualTime time = new ManualTime();
  private final Set<DcgmField> wanted = new HashSet<>(ClassicCounters.set().wanted());
  private ForeignLibrary.ForeignControl driver;
  private SampledNode pass;

  @BeforeEach
  void open() {
    ForeignLibrary foreign = ForeignLibrary.build(folder);
    driver = foreign.control();
    driver.foreign_reset(GPUS);
    pass = new SampledNode(foreign.lib(), collectors(), time, time);
  }

  @AfterEach
  void close() {
    pass.close();
  }

  @Test
  void reportsWhatTheLibraryKnows_ofEveryGpu() {
    assertThat(run())
        .hasSize(GPUS)
        .allSatisfy(
            gpu ->
                assertThat(((Answered) gpu).readings())
                    .contains(new Reading(DEV_GPU_UTIL, 12), new Reading(DEV_FB_USED, 0)));
  }

  @Test
  void aProcessIsOnTheGpu_whichIsNotDivided_whateverInstanceIsNamed() {
    driver.foreign_process(1, 4242);

    var gpu = (Answered) run().get(1);

    assertThat(gpu.processes())
        .isEqualTo(
            Map.of(
                Entity.whole(gpu.device().uuid()),
                new DeviceProcesses(List.of(new ProcessUse(4242, GIB, null)), false)));
  }

  @Test
  void theOthersKeepTheirReadings_whenOneGpuIsLost() {
    var before = run();
    driver.foreign_lose(2);
    time.advance(Duration.ofSeconds(1));

    var after = run();

    assertThat(after).hasSize(GPUS);
    assertThat(after.get(2)).isNotInstanceOf(Answered.class);
    for (int other : List.of(0, 1, 3)) {
      assertThat(((Answered) after.get(other)).readings())
          .isEqualTo(((Answered) before.get(other)).readings());
    }
  }

  private List<Collector> collectors() {
    var all = new ArrayList<>(AllCollectors.with(time));
    all.add(new ProcessCollector(time));
    return all;
  }

  private List<GpuSample> run() {
    return pass.run(wanted).gpus();
  }
}
