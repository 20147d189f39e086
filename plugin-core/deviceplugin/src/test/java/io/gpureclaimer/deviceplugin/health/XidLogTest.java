package io.gpureclaimer.deviceplugin.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.health.XidHistory.Last;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XidLogTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final GpuUuid GPU = new GpuUuid("GPU-0");

  private final XidLog log = new XidLog(Duration.ofMinutes(5));

  @Test
  void knowsOfNoXid_untilThereIsOne() {
    log.add(new GpuUuid("GPU-1"), 79, START);

    assertThat(log.of(GPU, START)).isEmpty();
    log.begin(GPU);
    assertThat(log.of(GPU, START)).contains(XidHistory.NONE);
    assertThat(XidHistory.NONE.total()).isZero();
  }

  @Test
  void countsByCode_andKnowsTheLast() {
    log.add(GPU, 13, START);
    log.add(GPU, 79, START);
    log.add(GPU, 13, START.plusSeconds(1));

    var history = log.of(GPU, START.plusSeconds(1)).orElseThrow();
    assertThat(history)
        .isEqualTo(
            new XidHistory(
                Map.of(13, 2L, 79, 1L),
                Map.of(13, 2L, 79, 1L),
                new Last(13, START.plusSeconds(1))));
    assertThat(history.total()).isEqualTo(3);
  }

  @Test
  void forgetsWhatHasLeftTheWindow_andNothingOfTheWhole() {
    log.add(GPU, 13, START);
    log.add(GPU, 79, START.plusSeconds(10));

    log.begin(GPU);
    var history = log.of(GPU, START.plusSeconds(300)).orElseThrow();
    assertThat(history.recent()).isEqualTo(Map.of(79, 1L));
    assertThat(history.totals()).isEqualTo(Map.of(13, 1L, 79, 1L));
    assertThat(log.of(GPU, START.plusSeconds(3_600)).orElseThrow().recent()).isEmpty();
  }

  @Test
  void keepsWhatItHeard_whenListeningEnds() {
    log.begin(GPU);
    assertThat(log.isListeningTo(GPU)).isTrue();
    log.add(GPU, 13, START);

    log.end(GPU);

    assertThat(log.isListeningTo(GPU)).isFalse();
    assertThat(log.of(GPU, START).orElseThrow().totals()).isEqualTo(Map.of(13, 1L));
    log.begin(GPU);
    assertThat(log.isListeningTo(GPU)).isTrue();
  }

  @Test
  void countsTenThousandInOneSecond() {
    for (int i = 0; i < 10_000; i++) {
      log.add(GPU, 1 + i % 100, START);
    }

    assertThat(log.of(GPU, START).orElseThrow().total()).isEqualTo(10_000);
    assertThat(log.of(GPU, START).orElseThrow().recent().values()).containsOnly(100L).hasSize(100);
  }

  @ParameterizedTest
  @CsvSource({
    "79, GPU has fallen off the bus",
    "172, Additional data to an uncorrectable SRAM error",
    "0, No Error",
    "173, Unknown Error",
    "999, Unknown Error"
  })
  void everyCodeHasAText(int code, String text) {
    assertThat(XidTexts.of(code)).isEqualTo(text);
  }

  @Test
  void allCodesOfTheCatalogueHaveOne() {
    for (int code = 1; code <= 172; code++) {
      assertThat(XidTexts.of(code)).isNotBlank().isNotEqualTo("Unknown Error");
    }
  }
}
