package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.nvml.inventory.Turn;
import io.gpureclaimer.nvml.session.DriverThread;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SurveyTurnsTest {
  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final Duration DEADLINE = Duration.ofHours(1);

  private final AtomicLong nanos = new AtomicLong();
  private final DriverThread thread = new DriverThread();
  private final SurveyTurns turns = new SurveyTurns(thread, PATIENCE, DEADLINE, nanos::get);
  private final CountDownLatch hang = new CountDownLatch(1);

  @AfterEach
  void end() {
    hang.countDown();
    thread.close();
  }

  @Test
  void oneThatHasAnsweredBeforeIsAwaited_andTheOthersGoOn() {
    assertThat(turns.take(1, true, this::hangs)).isEqualTo(new Turn.Awaited<>());
    assertThat(turns.take(1, true, () -> 1)).isEqualTo(new Turn.Awaited<>());
    assertThat(turns.take(2, true, () -> 2)).isEqualTo(new Turn.Taken<>(2));
  }

  @Test
  void oneIsGivenUp_whenItHasNotComeBackForLong() {
    turns.take(1, true, this::hangs);
    nanos.addAndGet(DEADLINE.toNanos() - 1);
    assertThat(turns.take(1, true, () -> 1)).isEqualTo(new Turn.Awaited<>());

    nanos.addAndGet(1);

    assertThat(turns.take(1, true, () -> 1)).isEqualTo(new Turn.Silent<>());
  }

  @Test
  void oneThatCameBackLateIsWaitedForTheNextTime() {
    turns.take(1, true, this::hangs);
    hang.countDown();
    Awaitility.await().until(() -> !thread.hasLeftSomeoneBehind());

    assertThat(turns.take(1, true, this::isSlow)).isEqualTo(new Turn.Taken<>(1));
  }

  @Test
  void oneThatHasNeverAnsweredIsWaitedFor() {
    assertThat(turns.take(1, false, this::isSlow)).isEqualTo(new Turn.Taken<>(1));
  }

  private int hangs() {
    try {
      hang.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }

  /** For longer than anybody has patience. */
  private int isSlow() {
    CountDownLatch never = new CountDownLatch(1);
    try {
      assertThat(never.await(PATIENCE.toMillis() * 4, TimeUnit.MILLISECONDS)).isFalse();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }
}
