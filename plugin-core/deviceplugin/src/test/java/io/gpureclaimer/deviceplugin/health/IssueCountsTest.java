package io.gpureclaimer.deviceplugin.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IssueCountsTest {
  private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

  @Test
  void forgetsToTheSecond_whenTheWindowIsFiveMinutes() {
    var tally = new IssueCounts<String>(Duration.ofMinutes(5));
    tally.add("idle", NOON);

    assertThat(tally.recent(NOON.plusSeconds(299))).isEqualTo(Map.of("idle", 1L));
    assertThat(tally.recent(NOON.plusSeconds(300))).isEmpty();
    assertThat(tally.totals()).isEqualTo(Map.of("idle", 1L));
  }

  @Test
  void forgetsToAThreeHundredth_whenTheWindowIsLonger() {
    var day = new IssueCounts<String>(Duration.ofDays(1));
    day.add("idle", NOON);

    assertThat(day.recent(NOON.plusSeconds(86_399))).isEqualTo(Map.of("idle", 1L));
    assertThat(day.recent(NOON.plusSeconds(86_400 + 288))).isEmpty();
  }

  @Test
  void takesTheSameRoom_whenTheWindowIsADay() {
    var day = new IssueCounts<String>(Duration.ofDays(1));
    for (int second = 0; second < 2 * 86_400; second++) {
      day.add("idle", NOON.plusSeconds(second));
    }

    assertThat(day.parts()).isLessThan(310);
    assertThat(day.recent(NOON.plusSeconds(2 * 86_400 - 1)).get("idle"))
        .isBetween(86_400L, 86_688L);
  }
}
