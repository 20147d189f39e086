package io.gpureclaimer.deviceplugin.mps;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.ComputeMode;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NvmlComputeModesTest {
  private final Nvml nvml =
      Nvml.open(
          new SimulatedDriver(
              Profile.named("h100x8").orElseThrow(),
              "node-a",
              () -> Script.IDLE,
              () -> Instant.EPOCH));

  @Test
  void setsTheModeOfOneGpu() {
    var modes = new NvmlComputeModes(() -> Optional.of(nvml));

    assertThat(modes.set(uuid(5), ComputeMode.EXCLUSIVE_PROCESS)).isEqualTo(new Value<>(true));

    assertThat(modes.of(uuid(5))).isEqualTo(new Value<>(ComputeMode.EXCLUSIVE_PROCESS));
    assertThat(modes.of(uuid(4))).isEqualTo(new Value<>(ComputeMode.DEFAULT));
  }

  @Test
  void fails_whenThereIsNoSuchGpu() {
    assertThat(new NvmlComputeModes(() -> Optional.of(nvml)).of(new GpuUuid("GPU-of-another-node")))
        .isEqualTo(new Failed<>(NvmlReturn.NOT_FOUND, 6));
  }

  @Test
  void fails_whenTheDriverIsDown() {
    GpuUuid gpu = uuid(0);
    assertThat(new NvmlComputeModes(Optional::empty).of(gpu))
        .isEqualTo(new Failed<>(NvmlReturn.UNINITIALIZED, 1));

    nvml.close();
    assertThat(new NvmlComputeModes(() -> Optional.of(nvml)).set(gpu, ComputeMode.DEFAULT))
        .isEqualTo(new Failed<>(NvmlReturn.UNINITIALIZED, 1));
  }

  private GpuUuid uuid(int index) {
    return switch (nvml.handle(index).then(nvml::uuid)) {
      case NvmlResult.Value<GpuUuid>(var uuid) -> uuid;
      case NvmlResult.Unsupported<GpuUuid> _, NvmlResult.Failed<GpuUuid> _ ->
          throw new AssertionError("GPU " + index + " has no name");
    };
  }
}
