package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CapturedLog;
import io.gpureclaimer.reclaimer.cycle.CycleJob.StartupRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("reads the log")
class StartupRetryTest {
  private static final Duration INTERVAL = Duration.ofSeconds(60);

  private final List<Duration> pauses = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-22T06:00:00Z");
  private boolean ends;
  private final StartupRetry impatience = new StartupRetry(INTERVAL, () -> now, this::pass);

  private boolean pass(Duration pause) {
    pauses.add(pause);
    now = now.plus(pause);
    return !ends;
  }

  @Test
  void looksAgainLessAndLessOften_forOneInterval() {
    while (impatience.shouldRetry(false)) {}

    assertThat(pauses.getFirst()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_200));
    assertThat(pauses).allMatch(pause -> pause.compareTo(Duration.ofSeconds(18)) <= 0);
    assertThat(pauses).hasSizeBetween(5, 8);
    assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus)).isLessThan(INTERVAL);
  }

  @Test
  void waitsForNothing_onceSomethingWasSeen() {
    assertThat(impatience.shouldRetry(true)).isFalse();
    assertThat(impatience.shouldRetry(false)).isFalse();
    assertThat(pauses).isEmpty();
  }

  @Test
  void isOver_afterItsInterval() {
    while (impatience.shouldRetry(false)) {}
    pauses.clear();

    now = now.plus(INTERVAL.multipliedBy(9));

    assertThat(impatience.shouldRetry(false)).isFalse();
    assertThat(pauses).isEmpty();
  }

  @Test
  void countsTheTimeThatTheLooksTake() {
    impatience.shouldRetry(false);
    now = now.plus(INTERVAL);

    assertThat(impatience.shouldRetry(false)).isFalse();
    assertThat(pauses).hasSize(1);
  }

  @Test
  void endsWithTheProgram() {
    ends = true;

    assertThat(impatience.shouldRetry(false)).isFalse();
  }

  @Test
  void saysItOnce() {
    try (var logged = new CapturedLog(StartupRetry.class)) {
      while (impatience.shouldRetry(false)) {}

      assertThat(logged.take())
          .containsExactly(
              "INFO first cycle failed; trying again soon, until" + " 2026-11-22T06:01:00Z");
    }
  }
}
