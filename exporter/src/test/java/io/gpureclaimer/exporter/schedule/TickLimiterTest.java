package io.gpureclaimer.exporter.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TickLimiterTest {
  private final AtomicLong nanos = new AtomicLong();
  private final TickLimiter pace = new TickLimiter(Duration.ofSeconds(1), nanos::get);

  @Test
  void isDue_atTheFirstTickAndAnIntervalLater() {
    assertThat(pace.isDue()).isTrue();
    advance(1_000);

    assertThat(pace.isDue()).isTrue();
  }

  @Test
  void isNotDue_whenTicksAreMadeUpForAtOnce() {
    pace.isDue();
    advance(499);

    assertThat(pace.isDue()).isFalse();
  }

  @Test
  void isDue_whenATickIsALittleEarly() {
    pace.isDue();
    advance(500);

    assertThat(pace.isDue()).isTrue();
  }

  private void advance(long millis) {
    nanos.addAndGet(Duration.ofMillis(millis).toNanos());
  }
}
