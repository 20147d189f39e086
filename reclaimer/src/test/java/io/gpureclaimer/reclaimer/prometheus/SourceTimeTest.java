package io.gpureclaimer.reclaimer.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.activity.Observation.Blind;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SourceTimeTest {
  private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");

  private final SourceTime time = new SourceTime();

  @Test
  void believesWhatComesInOrder_andReplicasThatDifferByHalfAMinute() {
    assertThat(objection(0)).isEmpty();
    assertThat(objection(60)).isEmpty();
    assertThat(objection(30)).isEmpty();
    assertThat(time.objection(NOW.plusSeconds(30), Optional.of(NOW.plusSeconds(60)))).isEmpty();
    assertThat(time.unknownUntil()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void believesNothing_afterTheClockWasSetBack_untilItsFormerTimeHasPassed() {
    assertThat(objection(300)).isEmpty();

    assertThat(objection(0))
        .contains(
            new Blind(
                "the source's clock was set back: it has samples or answers of"
                    + " 2026-11-22T06:05:00Z, found an answer of 2026-11-22T06:00:00Z; until then"
                    + " what it stored is older than it says"));
    assertThat(objection(269)).isPresent();
    assertThat(objection(300)).isEmpty();
    assertThat(time.unknownUntil()).isEqualTo(NOW.plusSeconds(300));
  }

  @Test
  void believesNothing_fromTheFirstAnswerOn_whileThereAreSamplesOfATimeToCome() {
    assertThat(time.objection(NOW, Optional.of(NOW.plusSeconds(290)))).isPresent();
    assertThat(time.objection(NOW.plusSeconds(30), Optional.of(NOW.plusSeconds(320)))).isPresent();
    assertThat(time.objection(NOW.plusSeconds(60), Optional.of(NOW.plusSeconds(340)))).isPresent();
    assertThat(time.objection(NOW.plusSeconds(320), Optional.of(NOW.plusSeconds(340)))).isEmpty();

    assertThat(time.unknownUntil()).isEqualTo(NOW.plusSeconds(340));
  }

  private Optional<Blind> objection(int seconds) {
    return time.objection(NOW.plusSeconds(seconds), Optional.empty());
  }
}
