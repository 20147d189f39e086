package io.gpureclaimer.exporter.collect.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.collect.ListedProcesses;
import io.gpureclaimer.exporter.sample.DeviceProcesses;
import io.gpureclaimer.exporter.sample.DeviceProcesses.ProcessUse;
import io.gpureclaimer.nvml.GpuProcess;
import io.gpureclaimer.nvml.ProcessUtilization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RunningProcessesTest {
  private static final GpuUuid GPU = new GpuUuid("GPU-a");
  private static final Entity WHOLE = Entity.whole(GPU);
  private static final Entity PART = Entity.instance(GPU, 7);

  @Test
  void aProcessThatDidNothingHadNoTime() {
    assertThat(
            RunningProcesses.of(
                GPU,
                List.of(),
                new ListedProcesses(
                    List.of(on(10, 5), on(11, 6)),
                    Optional.of(List.of(new ProcessUtilization(10, 1, 40, 0, 0, 0))))))
        .isEqualTo(
            Map.of(
                WHOLE,
                new DeviceProcesses(
                    List.of(new ProcessUse(10, 5L, 40.0), new ProcessUse(11, 6L, 0.0)), true)));
  }

  @Test
  void timeIsUnknown_whenTheDriverDoesNotReport() {
    assertThat(
            RunningProcesses.of(
                GPU, List.of(), new ListedProcesses(List.of(on(10, 5)), Optional.empty())))
        .isEqualTo(
            Map.of(WHOLE, new DeviceProcesses(List.of(new ProcessUse(10, 5L, null)), false)));
  }

  @Test
  void aProcessThatComputesAndDrawsIsOne() {
    var unknown = new GpuProcess(10, OptionalLong.empty(), OptionalInt.empty());

    assertThat(
            RunningProcesses.of(
                GPU,
                List.of(),
                new ListedProcesses(List.of(on(10, 5), on(10, 7), unknown), Optional.empty())))
        .isEqualTo(
            Map.of(WHOLE, new DeviceProcesses(List.of(new ProcessUse(10, 7L, null)), false)));
  }

  @Test
  void eachInstanceHasItsOwn_withoutTime_andMayHaveNone() {
    var idle = Entity.instance(GPU, 8);

    assertThat(
            RunningProcesses.of(
                GPU,
                List.of(PART, idle),
                new ListedProcesses(
                    List.of(new GpuProcess(10, OptionalLong.of(5), OptionalInt.of(7))),
                    Optional.of(List.of()))))
        .isEqualTo(
            Map.of(
                WHOLE, new DeviceProcesses(List.of(), true),
                PART, new DeviceProcesses(List.of(new ProcessUse(10, 5L, null)), false),
                idle, new DeviceProcesses(List.of(), false)));
  }

  private static GpuProcess on(long pid, long bytes) {
    return new GpuProcess(pid, OptionalLong.of(bytes), OptionalInt.empty());
  }
}
