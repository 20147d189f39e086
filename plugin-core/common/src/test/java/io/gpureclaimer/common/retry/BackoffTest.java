package io.gpureclaimer.common.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void doublesFromTheFirstPauseToTheLongest() {
    var backoff = new Backoff(SECOND, MINUTE, () -> 0);
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      seconds.add(backoff.next().toSeconds());
    }

    assertThat(seconds).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
  }

  @Test
  void beginsAgain_afterASuccess() {
    var backoff = new Backoff(SECOND, MINUTE, () -> 0);
    backoff.next();
    backoff.next();
    backoff.reset();

    assertThat(backoff.next()).isEqualTo(SECOND);
  }

  @Test
  void neverPausesShorterThanTheFirstPause_whichMayBeTheLongest() {
    var backoff = new Backoff(Duration.ofMinutes(2), MINUTE, () -> 0);

    assertThat(List.of(backoff.next(), backoff.next())).containsOnly(Duration.ofMinutes(2));
  }

  @Property
  void theJitterAddsAtMostAFifth(@ForAll long seed) {
    var random = new Random(seed);
    var backoff = new Backoff(SECOND, MINUTE, random::nextDouble);
    for (int i = 0; i < 20; i++) {
      assertThat(backoff.next()).isBetween(SECOND, MINUTE.multipliedBy(6).dividedBy(5));
    }
  }
}
