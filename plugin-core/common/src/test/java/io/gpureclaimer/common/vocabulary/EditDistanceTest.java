package io.gpureclaimer.common.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {

  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "'', abc, 3",
    "abc, '', 3",
    "abc, abc, 0",
    "abc, adc, 1",
    "abc, ac, 1",
    "kitten, sitting, 3",
    "interval, intreval, 2"
  })
  void countsInsertionsDeletionsAndReplacements(String from, String to, int edits) {
    assertThat(EditDistance.of(from, to)).isEqualTo(edits);
  }
}
