package io.gpureclaimer.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.core.device.DeviceId.Replica;
import io.gpureclaimer.core.device.DeviceId.Unmapped;
import io.gpureclaimer.core.device.DeviceId.WholeGpu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceIdTest {
  private static final String UUID = "GPU-11111111-2222-3333-4444-555555555555";

  @Test
  void aGpuIsItsUuid() {
    assertThat(DeviceId.of(UUID)).isEqualTo(new WholeGpu(new GpuUuid(UUID)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "9", "12", "99999999999999999999"})
  void aReplicaIsAShareOfItsGpu(String number) {
    assertThat(DeviceId.of(UUID + "::" + number)).isEqualTo(new Replica(new GpuUuid(UUID), number));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GPU-",
        "MIG-11111111-2222-3333-4444-555555555555",
        "MIG-11111111-2222-3333-4444-555555555555::0",
        "MIG-GPU-11111111-2222-3333-4444-555555555555/1/0",
        "MIG-GPU-11111111-2222-3333-4444-555555555555",
        "nvidia0",
        "nvidia0/gi1",
        "nvidia0/vgpu2",
        "0",
        "gpu-11111111-2222-3333-4444-555555555555",
        "GPU-11111111-2222-3333-4444-555555555555::",
        "GPU-11111111-2222-3333-4444-555555555555:0",
        "GPU-11111111-2222-3333-4444-555555555555::x",
        "GPU-11111111-2222-3333-4444-555555555555::0::1",
        "GPU-11111111-2222-3333-4444-555555555555/1",
        "GPU-11111111-2222-3333-4444-555555555555-0",
        " GPU-11111111-2222-3333-4444-555555555555",
        "GPU-11111111-2222-3333-4444-555555555555\n"
      })
  void nothingElseIsGuessed(String text) {
    assertThat(DeviceId.of(text)).isEqualTo(new Unmapped(text));
  }
}
