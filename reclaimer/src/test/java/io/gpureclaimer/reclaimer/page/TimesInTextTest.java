package io.gpureclaimer.reclaimer.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.page.TimesInText.Piece;
import org.junit.jupiter.api.Test;

class TimesInTextTest {

  @Test
  void timesArePiecesOfTheirOwn() {
    assertThat(TimesInText.in("from 2026-03-02T12:00:00Z to 2026-03-02T12:00:00.5Z, or later"))
        .containsExactly(
            new Piece("from ", false),
            new Piece("2026-03-02T12:00:00Z", true),
            new Piece(" to ", false),
            new Piece("2026-03-02T12:00:00.5Z", true),
            new Piece(", or later", false));
  }

  @Test
  void textWithoutATime_isOnePiece() {
    assertThat(TimesInText.in("not running")).containsExactly(new Piece("not running", false));
    assertThat(TimesInText.in("")).isEmpty();
    assertThat(TimesInText.in("2026-03-02T12:00:00Z"))
        .containsExactly(new Piece("2026-03-02T12:00:00Z", true));
  }
}
