package io.gpureclaimer.reclaimer.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.IdlePower;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdlePowerTest {

  @ParameterizedTest
  @CsvSource({
    "NVIDIA H100 80GB HBM3, 156.25",
    "NVIDIA A100-SXM4-80GB, 106.25",
    "A100-SXM4-40GB, 93.75",
    "Tesla T4, 40",
    "NVIDIA L4, 41.25"
  })
  void isAQuarterAboveWhatTheModelDrawsWhenItIsIdle(String model, double watts) {
    assertThat(new IdlePower(Map.of()).limit(model)).hasValue(watts);
  }

  @Test
  void isUnknown_forAnUnknownModel() {
    assertThat(new IdlePower(Map.of()).limit("NVIDIA H100")).isEmpty();
    assertThat(new IdlePower(Map.of()).limit("")).isEmpty();
  }

  @Test
  void isWhatTheConfigurationSays() {
    var power = new IdlePower(Map.of("NVIDIA B200", 240.0, "nvidia l4", 50.0));

    assertThat(power.limit("NVIDIA B200")).hasValue(240);
    assertThat(power.limit("NVIDIA L4")).hasValue(50);
  }
}
