package io.gpureclaimer.reclaimer.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import org.junit.jupiter.api.Test;

class SignalTest {
  @Test
  void numbersAreWrittenAsPeopleWriteThem() {
    var signal = new Signal(SignalKind.PCIE, 4_751_360_000.0, 50_000_000.125, "bytes over PCIe");

    assertThat(signal.valueText()).isEqualTo("4751360000");
    assertThat(signal.limitText()).isEqualTo("50000000.13");
  }

  @Test
  void whatIsNoNumberSaysWork() {
    assertThat(new Signal(SignalKind.POWER, Double.NaN, 80, "power in W").saysWork()).isTrue();
    assertThat(new Signal(SignalKind.POWER, 80, 80, "power in W").saysWork()).isFalse();
  }
}
