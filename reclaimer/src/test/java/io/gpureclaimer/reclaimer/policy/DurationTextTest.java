package io.gpureclaimer.reclaimer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "90s, PT1M30S",
    "10m, PT10M",
    "2h, PT2H",
    "1d, PT24H",
    "1w, PT168H",
    "1h30m, PT1H30M",
    "1w2d3h4m5s, PT219H4M5S",
    "0s, PT0S",
    "999999w, PT167999832H"
  })
  void readsUnitsFromTheLargestToTheSmallest(String text, Duration duration) {
    assertThat(DurationText.parse(text)).contains(duration);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(
      strings = {
        "",
        " ",
        "10",
        "m",
        "10M",
        "1H",
        "-10m",
        "+10m",
        "1.5h",
        "1h 30m",
        " 1h",
        "1h ",
        "30m1h",
        "1h1h",
        "1y",
        "PT1H",
        "1000000s",
        "٣m",
        "1ms",
        "10min",
        "1h\n",
        "forever"
      })
  void readsNothingElse(String text) {
    assertThat(DurationText.parse(text)).isEmpty();
  }
}
