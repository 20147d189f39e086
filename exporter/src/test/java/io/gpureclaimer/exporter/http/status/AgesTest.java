package io.gpureclaimer.exporter.http.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
  @ParameterizedTest
  @CsvSource({
    "PT-1S, 0 s",
    "PT59.9S, 59 s",
    "PT60S, 1 min 0 s",
    "PT59M59S, 59 min 59 s",
    "PT60M, 1 h 0 min",
    "PT23H59M, 23 h 59 min",
    "PT25H, 1 d 1 h"
  })
  void areSaidInTheTwoLargestUnits(Duration age, String said) {
    assertThat(Ages.of(age)).isEqualTo(said);
  }
}
