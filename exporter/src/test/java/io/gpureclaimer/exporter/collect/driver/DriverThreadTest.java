package io.gpureclaimer.exporter.collect.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.exporter.collect.driver.DriverThread.Outcome.LeftBehind;
import io.gpureclaimer.exporter.collect.driver.DriverThread.Outcome.Returned;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DriverThreadTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final DriverThread thread = new DriverThread();

  @AfterEach
  void close() {
    thread.close();
  }

  @Test
  void staysOnOneThread_whileCallsReturn() {
    assertThat(thread.ask(Thread::currentThread, LONG))
        .isEqualTo(thread.ask(Thread::currentThread, LONG));
  }

  @Test
  void goesOnWithAFreshThread_whenACallDoesNotReturn() {
    var release = new CountDownLatch(1);
    var stuck =
        thread.ask(
            () -> {
              release.await();
              return Thread.currentThread();
            },
            SHORT);

    var fresh = thread.ask(Thread::currentThread, LONG);

    assertThat(stuck).isInstanceOf(LeftBehind.class);
    assertThat(fresh).isInstanceOf(Returned.class);
    release.countDown();
    if (stuck instanceof LeftBehind<Thread>(var call)
        && fresh instanceof Returned<Thread>(var going)) {
      await().until(call::isDone);
      assertThat(call.resultNow()).isNotSameAs(going);
      await().until(() -> !call.resultNow().isAlive());
    }
  }

  @Test
  void rethrowsWhatTheCallThrew() {
    assertThatThrownBy(
            () ->
                thread.ask(
                    () -> {
                      throw new IllegalStateException("odd");
                    },
                    LONG))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("odd");
  }
}
