package io.gpureclaimer.reclaimer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.policy.ProtectedHours.HourRange;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectedHoursTest {

  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource({
    "Mon-Fri 09:00-18:00 UTC, 2026-03-02T08:59:59Z, false",
    "Mon-Fri 09:00-18:00 UTC, 2026-03-02T09:00:00Z, true",
    "Mon-Fri 09:00-18:00 UTC, 2026-03-02T17:59:59Z, true",
    "Mon-Fri 09:00-18:00 UTC, 2026-03-02T18:00:00Z, false",
    "Mon-Fri 09:00-18:00 UTC, 2026-03-07T12:00:00Z, false",
    "Sat-Mon 09:00-18:00 UTC, 2026-03-01T12:00:00Z, true",
    "Sat-Mon 09:00-18:00 UTC, 2026-03-03T12:00:00Z, false",
    "Mon-Sun 00:00-24:00 UTC, 2026-03-02T23:59:59Z, true",
    "Mon 00:00-24:00 UTC, 2026-03-03T00:00:00Z, false",
    "Fri 22:00-06:00 UTC, 2026-03-06T23:00:00Z, true",
    "Fri 22:00-06:00 UTC, 2026-03-07T05:59:59Z, true",
    "Fri 22:00-06:00 UTC, 2026-03-07T06:00:00Z, false",
    "Fri 22:00-06:00 UTC, 2026-03-06T05:00:00Z, false",
    "Fri 18:00-00:00 UTC, 2026-03-07T00:00:00Z, false",
    "Mon 09:00-09:00 UTC, 2026-03-03T08:59:00Z, true",
    "Mon 09:00-18:00 Asia/Tokyo, 2026-03-02T00:30:00Z, true",
    "Mon 09:00-18:00 Asia/Tokyo, 2026-03-02T09:30:00Z, false"
  })
  void protectsInTheHoursOfItsPlace(String text, Instant at, boolean within) {
    assertThat(hours(text).at(at).isPresent()).isEqualTo(within);
  }

  /** Clocks in Berlin go from 02:00 to 03:00 on March 29, and from 03:00 to 02:00 on October 25. */
  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource({
    "Mon-Fri 09:00-18:00 Europe/Berlin, 2026-03-27T08:00:00Z, true",
    "Mon-Fri 09:00-18:00 Europe/Berlin, 2026-03-27T17:30:00Z, false",
    "Mon-Fri 09:00-18:00 Europe/Berlin, 2026-03-30T07:00:00Z, true",
    "Mon-Fri 09:00-18:00 Europe/Berlin, 2026-03-30T16:30:00Z, false",
    "Sun 00:00-06:00 Europe/Berlin, 2026-03-29T03:59:59Z, true",
    "Sun 00:00-06:00 Europe/Berlin, 2026-03-29T04:00:00Z, false",
    "Sun 02:00-03:00 Europe/Berlin, 2026-10-25T00:30:00Z, true",
    "Sun 02:00-03:00 Europe/Berlin, 2026-10-25T01:30:00Z, true",
    "Sun 02:00-03:00 Europe/Berlin, 2026-10-25T02:00:00Z, false"
  })
  void goesWithTheClocksThatArePutForwardAndBack(String text, Instant at, boolean within) {
    assertThat(hours(text).at(at).isPresent()).isEqualTo(within);
  }

  @Test
  void anyOfSeveralRangesProtects() {
    ProtectedHours hours = hours("Mon-Fri 09:00-18:00 Europe/Berlin, Sat 10:00-14:00 UTC");

    assertThat(hours.at(Instant.parse("2026-03-07T13:00:00Z")).map(HourRange::text))
        .contains("Sat 10:00-14:00 UTC");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Mon-Fri 09:00-18:00 Europe/Berlin",
        "Fri-Mon 22:00-06:00 UTC",
        "Sun 00:00-24:00 America/New_York,Mon 00:00-00:01 Etc/GMT+5"
      })
  void saysWhatWasWritten(String text) {
    assertThat(hours(text).text()).isEqualTo(text.replace(",", ", "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Mon",
        "09:00-18:00 UTC",
        "Mon-Fri 09:00-18:00",
        "Mon-Fri 9:00-18:00 UTC",
        "Mon-Fri 09:00-25:00 UTC",
        "Mon-Fri 24:00-09:00 UTC",
        "Mon-Fri 09:00-18:00 Berlin",
        "Mon-Fri 09:00-18:00 +01:00",
        "mon-fri 09:00-18:00 UTC",
        "Mon-Fri 09:00-18:00 UTC,",
        "Mon-Fri  09:00-18:00 UTC",
        "Mon,Tue 09:00-18:00 UTC"
      })
  void refusesWhatItDoesNotUnderstand(String text) {
    assertThat(ProtectedHours.of(text)).isEmpty();
  }

  private static ProtectedHours hours(String text) {
    return ProtectedHours.of(text).orElseThrow();
  }
}
