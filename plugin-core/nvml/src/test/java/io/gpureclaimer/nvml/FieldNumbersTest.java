package io.gpureclaimer.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldNumbersTest {

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "83, 83",
    "250, 250",
    "251, 256",
    "268, 273",
    "269, 251",
    "271, 253",
    "273, 255",
    "274, 274"
  })
  void inDrivers575And580TheTimesOfSlowdownStandBeforePowerSmoothing(int newest, int older) {
    assertThat(FieldNumbers.ofDriver("580.65.06").of(newest)).isEqualTo(older);
    assertThat(FieldNumbers.ofDriver("575.51.03").of(newest)).isEqualTo(older);
  }

  @ParameterizedTest
  @ValueSource(strings = {"570.86.15", "570.172.08", "590.44.01", "600.12", "unknown", ""})
  void beforeAndAfterThat_andOfADriverThatIsUnknown_theNewestHeaderIsRight(String version) {
    assertThat(FieldNumbers.ofDriver(version).of(251)).isEqualTo(251);
    assertThat(FieldNumbers.ofDriver(version).of(269)).isEqualTo(269);
  }

  @ParameterizedTest
  @CsvSource({"250, 250", "251, 0", "269, 0", "273, 0", "274, 274"})
  void whileTheDriverHasNotSaidWhichItIs_whatHasMovedIsNotAskedFor(int newest, int asked) {
    assertThat(FieldNumbers.UNKNOWN.of(newest)).isEqualTo(asked);
  }
}
