package io.gpureclaimer.common.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuTest {
  private static final GpuUuid UUID = new GpuUuid("GPU-1");

  @Test
  void keepsWhatItWasGiven() {
    assertThat(new Gpu(3, UUID, "00010A0B:C1:1F.0", "NVIDIA H200").pciBusId())
        .isEqualTo("00010A0B:C1:1F.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0000:19:00.0", "00000000:3b:00.0", "00000000:19:00", "19:00.0"})
  void refusesABusIdInAnotherSpelling(String busId) {
    assertThatThrownBy(() -> new Gpu(0, UUID, busId, "NVIDIA H200"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a GPU's PCI bus id must look like 00000000:19:00.0, was \"" + busId + "\"");
  }

  @Test
  void refusesAnIndexBelowZero_andABlankName() {
    assertThatThrownBy(() -> new Gpu(-1, UUID, "00000000:19:00.0", "NVIDIA H200"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Gpu(0, UUID, "00000000:19:00.0", " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new GpuUuid("")).isInstanceOf(IllegalArgumentException.class);
  }
}
