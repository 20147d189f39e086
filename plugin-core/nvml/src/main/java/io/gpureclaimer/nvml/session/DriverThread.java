package io.gpureclaimer.nvml.session;

import io.gpureclaimer.common.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/**
 * The one thread that calls the driver. A call that does not return in time keeps the thread for
 * itself, and a fresh one goes on. Several calls are handed over at once where they can be: waking
 * a thread costs more than most of them. Confined to the thread that runs the passes.
 */
public final class DriverThread implements AutoCloseable {
  private final List<Future<?>> leftBehind = new ArrayList<>();
  private ExecutorService thread = fresh();

  /** Result of a call with a deadline. */
  public sealed interface CallOutcome<T> {

    /** The call returned in time. */
    record Returned<T>(T value) implements CallOutcome<T> {}

    /** The call did not return in time; it completes when it returns. */
    record TimedOut<T>(Future<T> call) implements CallOutcome<T> {}
  }

  /** Deadline of one of several calls, from its start. */
  public interface CallDeadline {

    /**
     * Asked when the call has begun.
     *
     * @param index which one
     * @param after how long after the first one it began
     */
    Duration with(int index, Duration after);
  }

  /**
   * Makes a call on the driver thread and waits for it.
   *
   * @throws RuntimeException whatever unchecked exception the call threw
   */
  public <T> CallOutcome<T> call(Callable<T> call, Duration deadline) {
    List<CallOutcome<T>> outcome = new ArrayList<>(1);
    callAll(List.of(call), (_, _) -> deadline, (it, _) -> outcome.add(it));
    return outcome.getFirst();
  }

  /**
   * Makes calls on the driver thread, one after the other, and waits for each.
   *
   * @param each takes what became of each, in order, with its index
   * @throws RuntimeException whatever unchecked exception one of them threw; those after it are not
   *     made
   */
  public <T> void callAll(
      List<Callable<T>> calls, CallDeadline patience, ObjIntConsumer<CallOutcome<T>> each) {
    leftBehind.removeIf(Future::isDone);
    var batch = new CallBatch<>(calls);
    long began = batch.current().since();
    boolean hangs = true;
    while (hangs && batch.hasMore()) {
      hangs =
          hangs(batch, call -> patience.with(call.index(), Duration.ofNanos(call.since() - began)));
      batch.report(each);
    }
  }

  /** Has the rest of the calls made; true once one of them has been left behind. */
  private <T> boolean hangs(
      CallBatch<T> batch, Function<CallBatch.CurrentCall, Duration> patience) {
    var first = batch.current();
    Future<?> rest = thread.submit(() -> batch.make(first));
    while (true) {
      var call = batch.current();
      long waited = MonotonicClock.SYSTEM.nanos() - call.since();
      try {
        rest.get(patience.apply(call).toNanos() - waited, TimeUnit.NANOSECONDS);
        return false;
      } catch (TimeoutException _) {
        if (batch.leaveBehind(call)) {
          leftBehind.add(batch.call(call));
          thread.shutdown();
          thread = fresh();
          return true;
        }
      } catch (InterruptedException e) {
        batch.stop();
        Thread.currentThread().interrupt();
        throw (CancellationException) new CancellationException("stopping").initCause(e);
      } catch (ExecutionException e) {
        throw new IllegalStateException("a batch of driver calls threw", e);
      }
    }
  }

  /** Makes a call on a thread of its own and does not wait for it. */
  public <T> Future<T> callApart(Callable<T> call) {
    var apart = fresh();
    Future<T> answer = apart.submit(call);
    apart.shutdown();
    leftBehind.add(answer);
    return answer;
  }

  /** Whether a thread whose result is no longer awaited is still inside the driver. */
  public boolean hasHungCall() {
    leftBehind.removeIf(Future::isDone);
    return !leftBehind.isEmpty();
  }

  @Override
  public void close() {
    thread.shutdown();
  }

  private static ExecutorService fresh() {
    return Executors.newSingleThreadExecutor(
        task -> Thread.ofPlatform().daemon().name("driver").unstarted(task));
  }

  /**
   * Calls of one thread in sequence, monitored by another. The watcher may leave one behind that
   * hangs, or whose thread did not come to it: that thread makes this one and no further calls, and
   * a third one has to go on. When a call throws, those after it are not made.
   */
  private static final class CallBatch<T> {
    private final List<FutureTask<T>> calls;
    private final AtomicReference<CurrentCall> current;

    /** What the watcher knows. */
    private final BitSet leftBehind = new BitSet();

    private int reported;

    /** The first of them counts as begun. */
    CallBatch(List<Callable<T>> calls) {
      this.calls = calls.stream().map(FutureTask::new).toList();
      this.current = new AtomicReference<>(new CurrentCall(0, MonotonicClock.SYSTEM.nanos()));
    }

    /**
     * The call that is being made, or is to be made next.
     *
     * @param index which one; beyond all of them when none is
     * @param since when it began, on the clock of {@link MonotonicClock#SYSTEM}
     */
    record CurrentCall(int index, long since) {}

    CurrentCall current() {
      return current.get();
    }

    boolean hasMore() {
      return current().index() < calls.size();
    }

    /** For the thread that makes them: that one in any case, and then the others. */
    void make(CurrentCall first) {
      CurrentCall now = first;
      while (true) {
        FutureTask<T> call = calls.get(now.index());
        call.run();
        boolean last = now.index() == calls.size() - 1;
        CurrentCall next = after(now);
        if (last || call.state() != Future.State.SUCCESS || !current.compareAndSet(now, next)) {
          return;
        }
        now = next;
      }
    }

    /** For the one that watches; false if the call has returned and another one is being made. */
    boolean leaveBehind(CurrentCall hanging) {
      boolean left = current.compareAndSet(hanging, after(hanging));
      if (left) {
        leftBehind.set(hanging.index());
      }
      return left;
    }

    /** For the one that watches: the call that is being made is the last one. */
    void stop() {
      current.set(new CurrentCall(calls.size(), MonotonicClock.SYSTEM.nanos()));
    }

    private static CurrentCall after(CurrentCall one) {
      return new CurrentCall(one.index() + 1, MonotonicClock.SYSTEM.nanos());
    }

    FutureTask<T> call(CurrentCall which) {
      return calls.get(which.index());
    }

    /**
     * For the one that watches: reports, once, what became of those that are no longer waited for.
     *
     * @throws RuntimeException what the call threw that did, after those before it were reported
     */
    void report(ObjIntConsumer<CallOutcome<T>> each) {
      while (reported < calls.size()
          && (leftBehind.get(reported) || calls.get(reported).isDone())) {
        FutureTask<T> call = calls.get(reported);
        each.accept(
            leftBehind.get(reported)
                ? new CallOutcome.TimedOut<>(call)
                : new CallOutcome.Returned<>(answer(call)),
            reported++);
      }
    }

    private T answer(FutureTask<T> call) {
      if (call.state() == Future.State.SUCCESS) {
        return call.resultNow();
      }
      throw switch (call.exceptionNow()) {
        case RuntimeException thrown -> thrown;
        case Error error -> throw error;
        case Throwable checked -> new IllegalStateException("a driver call threw", checked);
      };
    }
  }
}
