package io.gpureclaimer.exporter.collect.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The one thread that calls the driver. A call that does not return in time keeps the thread for
 * itself, and a fresh one goes on. Confined to the thread that runs the passes.
 */
public final class DriverThread implements AutoCloseable {
  private final List<Future<?>> leftBehind = new ArrayList<>();
  private ExecutorService thread = fresh();

  /** What became of a call. */
  public sealed interface Outcome<T> {

    /** It returned in time. */
    record Returned<T>(T value) implements Outcome<T> {}

    /** It did not; it is done when it returns after all. */
    record LeftBehind<T>(Future<T> call) implements Outcome<T> {}
  }

  /**
   * Makes a call on the driver thread and waits for it.
   *
   * @throws RuntimeException whatever unchecked exception the call threw
   */
  public <T> Outcome<T> ask(Callable<T> call, Duration deadline) {
    leftBehind.removeIf(Future::isDone);
    Future<T> answer = thread.submit(call);
    try {
      return new Outcome.Returned<>(answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException _) {
      thread.shutdown();
      thread = fresh();
      leftBehind.add(answer);
      return new Outcome.LeftBehind<>(answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (CancellationException) new CancellationException("stopping").initCause(e);
    } catch (ExecutionException e) {
      throw unchecked(e);
    }
  }

  /** Makes a call on a thread of its own and does not wait for it. */
  public <T> Future<T> askApart(Callable<T> call) {
    var apart = fresh();
    Future<T> answer = apart.submit(call);
    apart.shutdown();
    leftBehind.add(answer);
    return answer;
  }

  /** Whether a thread that nobody waits for is still inside the driver. */
  public boolean hasLeftSomeoneBehind() {
    leftBehind.removeIf(Future::isDone);
    return !leftBehind.isEmpty();
  }

  @Override
  public void close() {
    thread.shutdown();
  }

  private static RuntimeException unchecked(ExecutionException e) {
    return switch (e.getCause()) {
      case RuntimeException thrown -> thrown;
      case Error error -> throw error;
      case null, default -> new IllegalStateException("a driver call threw", e);
    };
  }

  private static ExecutorService fresh() {
    return Executors.newSingleThreadExecutor(
        task -> Thread.ofPlatform().daemon().name("driver").unstarted(task));
  }
}
