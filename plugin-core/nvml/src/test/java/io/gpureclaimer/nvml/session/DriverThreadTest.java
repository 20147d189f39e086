package io.gpureclaimer.nvml.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.nvml.session.DriverThread.CallOutcome;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.Returned;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.TimedOut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    assertThat(thread.call(Thread::currentThread, LONG))
        .isEqualTo(thread.call(Thread::currentThread, LONG));
  }

  @Test
  void goesOnWithAFreshThread_whenACallDoesNotReturn() {
    var release = new CountDownLatch(1);
    var stuck =
        thread.call(
            () -> {
              release.await();
              return Thread.currentThread();
            },
            SHORT);

    var fresh = thread.call(Thread::currentThread, LONG);

    assertThat(stuck).isInstanceOf(TimedOut.class);
    assertThat(fresh).isInstanceOf(Returned.class);
    release.countDown();
    if (stuck instanceof TimedOut<Thread>(var call)
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
                thread.call(
                    () -> {
                      throw new IllegalStateException("odd");
                    },
                    LONG))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("odd");
  }

  @Test
  void makesAllCallsOnOneThread_inTheirOrder() {
    var reported = callAll(List.of(Thread::currentThread, Thread::currentThread), LONG);

    assertThat(reported).hasSize(2).allMatch(Returned.class::isInstance);
    assertThat(reported.getFirst()).isEqualTo(reported.getLast());
  }

  @Test
  void makesTheCallsAfterOneThatDoesNotReturn_andMakesThemOnce() {
    var release = new CountDownLatch(1);
    var made = new ConcurrentLinkedQueue<String>();
    Callable<String> hangs =
        () -> {
          release.await();
          return "late";
        };

    var reported =
        callAll(List.of(made(made, "a"), hangs, made(made, "b"), hangs, made(made, "c")), SHORT);

    assertThat(reported.get(0)).isEqualTo(new Returned<>("a"));
    assertThat(reported.get(1)).isInstanceOf(TimedOut.class);
    assertThat(reported.get(2)).isEqualTo(new Returned<>("b"));
    assertThat(reported.get(3)).isInstanceOf(TimedOut.class);
    assertThat(reported.get(4)).isEqualTo(new Returned<>("c"));
    assertThat(thread.hasHungCall()).isTrue();
    release.countDown();
    await().until(() -> !thread.hasHungCall());
    assertThat(made).containsExactly("a", "b", "c");
  }

  @Test
  void goesOnLater_whenTheLastCallDoesNotReturn() {
    var release = new CountDownLatch(1);
    Callable<String> hangs =
        () -> {
          release.await();
          return "late";
        };

    assertThat(callAll(List.of(() -> "a", hangs), SHORT).getLast()).isInstanceOf(TimedOut.class);
    assertThat(thread.call(() -> "b", LONG)).isEqualTo(new Returned<>("b"));
    release.countDown();
  }

  /** Each has its own patience, however long those before it took. */
  @Test
  void waitsForEachCallFromWhenItBegan() {
    var asked = new ConcurrentLinkedQueue<Integer>();
    Callable<String> slow =
        () -> {
          Thread.sleep(60);
          return "slow";
        };
    var reported = new ArrayList<CallOutcome<String>>();

    thread.callAll(
        Collections.nCopies(4, slow),
        (index, after) -> {
          asked.add(index);
          assertThat(after).isBetween(Duration.ofMillis(60L * index), LONG);
          return Duration.ofMillis(index == 0 ? 100 : 5000);
        },
        (outcome, _) -> reported.add(outcome));

    assertThat(reported).containsOnly(new Returned<>("slow"));
    assertThat(asked).startsWith(0).doesNotHaveDuplicates().hasSizeGreaterThan(1);
  }

  @Test
  void makesNoFurtherCalls_whenOneThrows_butReportsWhatBecameOfThoseBefore() {
    var made = new ConcurrentLinkedQueue<String>();
    var reported = new ArrayList<Object>();
    var release = new CountDownLatch(1);
    List<Callable<String>> calls =
        List.of(
            made(made, "a"),
            () -> {
              release.await();
              return "late";
            },
            () -> {
              throw new IllegalStateException("odd");
            },
            made(made, "b"));

    assertThatThrownBy(
            () -> thread.callAll(calls, (_, _) -> SHORT, (outcome, _) -> reported.add(outcome)))
        .hasMessage("odd");
    assertThat(reported).hasSize(2).element(1).isInstanceOf(TimedOut.class);
    release.countDown();
    await().until(() -> !thread.hasHungCall());
    assertThat(made).containsExactly("a");
  }

  /**
   * Its thread was busy, or the machine was; what was left behind must not seem to hang for good.
   */
  @Test
  void makesACallLate_whichCouldNotBegin() {
    var release = new CountDownLatch(1);
    interruptedWhile(List.of(() -> release.await(1, TimeUnit.HOURS)));
    var made = new ConcurrentLinkedQueue<String>();

    var reported = callAll(List.of(made(made, "a"), made(made, "b"), made(made, "c")), SHORT);

    assertThat(reported.getFirst()).isInstanceOf(TimedOut.class);
    assertThat(reported.subList(1, 3)).containsExactly(new Returned<>("b"), new Returned<>("c"));
    assertThat(made).containsExactly("b", "c");
    release.countDown();
    await().until(() -> !thread.hasHungCall());
    assertThat(made).containsExactly("b", "c", "a");
  }

  @Test
  void makesNoFurtherCalls_whenTheOneWhoWaitsIsInterrupted() {
    var release = new CountDownLatch(1);
    var made = new ConcurrentLinkedQueue<Object>();
    interruptedWhile(List.of(() -> release.await(1, TimeUnit.HOURS), () -> made.add("a")));
    release.countDown();

    assertThat(thread.call(() -> "b", LONG)).isEqualTo(new Returned<>("b"));
    assertThat(made).isEmpty();
  }

  private <T> void interruptedWhile(List<Callable<T>> calls) {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> callAll(calls, LONG)).isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void doesNothing_whenThereIsNothingToAsk() {
    assertThat(callAll(List.of(), SHORT)).isEmpty();
  }

  private static Callable<String> made(Collection<String> made, String which) {
    return () -> {
      made.add(which);
      return which;
    };
  }

  private <T> List<CallOutcome<T>> callAll(List<Callable<T>> calls, Duration patience) {
    List<CallOutcome<T>> reported = new ArrayList<>();
    thread.callAll(
        calls,
        (_, _) -> patience,
        (outcome, index) -> {
          assertThat(index).isEqualTo(reported.size());
          reported.add(outcome);
        });
    return reported;
  }
}
