package io.gpureclaimer.verification.scenario.harness;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Questions that wait for the test, in the order in which they were asked. Safe for any thread. */
public final class HeldAnswers {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Deque<CompletableFuture<Void>> waiting = new ArrayDeque<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();

  HeldAnswers() {}

  /** Waits until so many questions have been asked altogether, answered or not. */
  public void awaitAsked(int count) {
    await("a second look").atMost(PATIENCE).until(() -> asked.get() >= count);
  }

  /** Lets the oldest question be answered. */
  public void answerOldest() {
    // The lock is free while the thread waits.
    synchronized (waiting) {
      waiting.removeFirst().complete(null);
    }
  }

  /** Lets every question be answered, and those to come at once. */
  public void end() {
    over.set(true);
    synchronized (waiting) {
      waiting.forEach(question -> question.complete(null));
      waiting.clear();
    }
  }

  void pass() {
    if (over.get()) {
      return;
    }
    var question = new CompletableFuture<Void>();
    synchronized (waiting) {
      waiting.addLast(question);
    }
    asked.incrementAndGet();
    if (over.get()) {
      end();
    }
    question.join();
  }
}
