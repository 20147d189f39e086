package io.gpureclaimer.common.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

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
  void parsesUnitsFromTheLargestToTheSmallest(String text, Duration duration) {
    assertThat(Durations.parse(text)).contains(duration);
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
  void parsesNothingElse(String text) {
    assertThat(Durations.parse(text)).isEmpty();
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "60s, PT1M",
    "1h30m, PT1H30M",
    "30m1h, PT1H30M",
    "1.5s, PT1.5S",
    ".5s, PT0.5S",
    "500ms, PT0.5S",
    "1µs, PT0.000001S",
    "0, PT0S",
    "999999999999999999ns, PT277777H46M39.999999999S"
  })
  void parsesDurationsOfGo(String text, Duration duration) {
    assertThat(Durations.parseGo(text)).contains(duration);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(strings = {"", "60", "1d", "1w", "-1s", "1s ", "s", "2562048h", "infinite"})
  void parsesNothingElse_asDurationOfGo(String text) {
    assertThat(Durations.parseGo(text)).isEmpty();
  }

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
  void formatsTheTwoLargestUnits(Duration duration, String text) {
    assertThat(Durations.format(duration)).isEqualTo(text);
  }
}
