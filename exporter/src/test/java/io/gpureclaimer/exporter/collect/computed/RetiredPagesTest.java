package io.gpureclaimer.exporter.collect.computed;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.collect.computed.HealthCollector.RetiredPages;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetiredPagesTest {
  private final RetiredPages pages = new RetiredPages();

  @Test
  void whatWasThereWhenTheProgramBegan_isNotOfThisWeek() {
    assertThat(thisWeek(20, 0)).isZero();
    assertThat(thisWeek(20, 24)).isZero();
  }

  @Test
  void countsWhatWasSeenToBeRetired_forAWeek() {
    thisWeek(14, 0);

    assertThat(thisWeek(15, 24)).isEqualTo(1);
    assertThat(thisWeek(17, 48)).isEqualTo(3);
    assertThat(thisWeek(17, 24 * 8 - 1)).isEqualTo(3);
    assertThat(thisWeek(17, 24 * 8)).isEqualTo(2);
    assertThat(thisWeek(17, 24 * 9)).isZero();
    assertThat(thisWeek(18, 24 * 30)).isEqualTo(1);
  }

  private double thisWeek(double count, long hours) {
    return pages.thisWeek(count, Duration.ofHours(hours).toNanos());
  }
}
