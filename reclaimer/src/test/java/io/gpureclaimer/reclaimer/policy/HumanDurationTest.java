package io.gpureclaimer.reclaimer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanDurationTest {

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "PT1H12M59S, 1h 12m",
    "PT2H, 2h",
    "PT33M, 33m",
    "PT59M30S, 59m 30s",
    "PT0.9S, 0s",
    "PT0S, 0s",
    "-PT5M, 0s",
    "P2DT3H59M, 2d 3h",
    "P1DT5M, 1d",
    "P400D, 400d"
  })
  void saysTheTwoLargestUnits(Duration duration, String text) {
    assertThat(HumanDuration.of(duration)).isEqualTo(text);
  }
}
