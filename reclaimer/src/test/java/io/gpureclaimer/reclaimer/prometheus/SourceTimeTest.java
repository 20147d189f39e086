package io.gpureclaimer.reclaimer.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.activity.Observation.Blind;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SourceTimeTest {
  private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");

  private final SourceTime time = new SourceTime();

  @Test
  void believesWhatComesInOrder_andReplicasThatDifferByHalfAMinute() {
    assertThat(time.objection(NOW)).isEmpty();
    assertThat(time.objection(NOW.plusSeconds(60))).isEmpty();
    assertThat(time.objection(NOW.plusSeconds(30))).isEmpty();
  }

  @Test
  void believesNothing_afterTheClockWasSetBack_untilItsFormerTimeHasPassed() {
    assertThat(time.objection(NOW.plusSeconds(300))).isEmpty();

    assertThat(time.objection(NOW))
        .contains(
            new Blind(
                "the source's clock was set back: expected an answer of 2026-11-22T06:05:00Z or"
                    + " later, found one of 2026-11-22T06:00:00Z; until then what it stored is"
                    + " older than it says"));
    assertThat(time.objection(NOW.plusSeconds(269))).isPresent();
    assertThat(time.objection(NOW.plusSeconds(300))).isEmpty();
  }
}
