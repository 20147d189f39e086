package io.gpureclaimer.reclaimer.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory.UtilizationPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SparklineTest {
  private static final Instant TO = Instant.parse("2026-03-02T12:00:00Z");
  private static final Instant FROM = TO.minus(Duration.ofHours(6));

  @Test
  void drawsZeroAtTheBottom_andHundredAtTheTop() {
    assertThat(chart(at(0, 0), at(10, 100), at(20, 50)).path()).isEqualTo("M1 23L5 1L9 12");
  }

  @Test
  void leavesAGap_whereSamplesAreMissing() {
    assertThat(chart(at(0, 0), at(10, 0), at(60, 40), at(120, 0), at(130, 0)).path())
        .isEqualTo("M1 23L5 23M25 14h1M48 23L52 23");
  }

  @Test
  void saysThatThereAreNoSamples_ratherThanZero() {
    assertThat(Sparkline.of(List.of(), FROM, TO))
        .isEqualTo(new Sparkline("", "GPU utilization: no samples in the last 6 hours"));
  }

  @Test
  void describesItselfInWords() {
    assertThat(chart(at(0, 87.4), at(10, 3)).label())
        .isEqualTo("GPU utilization in the last 6 hours: at most 87 %, last 3 %");
  }

  private static UtilizationPoint at(int minutes, double percent) {
    return new UtilizationPoint(FROM.plus(Duration.ofMinutes(minutes)), percent);
  }

  private static Sparkline chart(UtilizationPoint... points) {
    return Sparkline.of(List.of(points), FROM, TO);
  }
}
