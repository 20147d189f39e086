package io.gpureclaimer.reclaimer.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimeRangeTest {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(2);

  @Test
  void replaysAtTheEndOfEachStep() {
    var range = new TimeRange(START, START.plusSeconds(500), STEP);

    assertThat(range.steps()).isEqualTo(4);
    assertThat(range.at(1)).isEqualTo(START.plus(STEP));
    assertThat(range.at(4)).isEqualTo(START.plusSeconds(480));
    assertThat(range.length()).isEqualTo(Duration.ofMinutes(8));
  }

  @Test
  void replaysAtMultiplesOfTheStep_onceItIsAligned() {
    assertThat(new TimeRange(START.plusSeconds(119), START.plusSeconds(500), STEP).aligned())
        .isEqualTo(new TimeRange(START, START.plusSeconds(480), STEP));
  }

  @Test
  void isAtLeastOneStepLong() {
    assertThatThrownBy(() -> new TimeRange(START, START.plusSeconds(119), STEP))
        .hasMessageContaining("must be at least one step long, which is PT2M");
  }

  @Test
  void stepsInWholeSeconds() {
    assertThatThrownBy(() -> new TimeRange(START, START.plusSeconds(9), Duration.ofMillis(1500)))
        .hasMessage("step must be whole seconds, at least 1s, was PT1.5S");
  }
}
