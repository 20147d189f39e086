package io.gpureclaimer.exporter.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {

  @ParameterizedTest
  @CsvSource({"'', '', 0", "a, '', 1", "kitten, sitting, 3", "interval, intervall, 1"})
  void countsEdits(String from, String to, int edits) {
    assertThat(EditDistance.of(from, to)).isEqualTo(edits);
    assertThat(EditDistance.of(to, from)).isEqualTo(edits);
  }
}
