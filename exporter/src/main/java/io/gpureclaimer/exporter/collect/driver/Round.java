package io.gpureclaimer.exporter.collect.driver;

import io.gpureclaimer.exporter.collect.driver.DriverThread.Outcome;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjIntConsumer;

/**
 * Calls that are made one after the other by one thread, while another watches. The watcher may
 * leave one behind that hangs: the thread that is inside of it makes no more of them, and a third
 * one has to go on. When a call throws, those after it are not made.
 */
final class Round<T> {
  private final List<FutureTask<T>> calls;
  private final AtomicReference<Current> current;
  private final BitSet leftBehind = new BitSet();

  /** The first of them counts as begun. */
  Round(List<Callable<T>> calls) {
    this.calls = calls.stream().map(FutureTask::new).toList();
    this.current = new AtomicReference<>(new Current(0, System.nanoTime()));
  }

  /**
   * The call that is being made, or was made last.
   *
   * @param index which one; beyond all of them when the last one has been left behind
   * @param since when it began, on the clock of {@link System#nanoTime}
   */
  record Current(int index, long since) {}

  Current current() {
    return current.get();
  }

  boolean hasMore() {
    return current().index() < calls.size();
  }

  /** For the thread that makes them: from the current one on. */
  void make() {
    Current now = current.get();
    while (true) {
      FutureTask<T> call = calls.get(now.index());
      call.run();
      boolean last = now.index() == calls.size() - 1;
      Current next = after(now);
      if (last || call.state() != Future.State.SUCCESS || !current.compareAndSet(now, next)) {
        return;
      }
      now = next;
    }
  }

  /** For the one that watches; false if the call has returned and another one is being made. */
  boolean leaveBehind(Current hanging) {
    boolean left = current.compareAndSet(hanging, after(hanging));
    if (left) {
      leftBehind.set(hanging.index());
    }
    return left;
  }

  private static Current after(Current one) {
    return new Current(one.index() + 1, System.nanoTime());
  }

  FutureTask<T> call(Current which) {
    return calls.get(which.index());
  }

  /**
   * Tells what became of each, for the one that watches, when no more of them is made.
   *
   * @throws RuntimeException what the call threw that did, after those before it have been told
   */
  void tell(ObjIntConsumer<Outcome<T>> each) {
    for (int i = 0; i < calls.size(); i++) {
      FutureTask<T> call = calls.get(i);
      each.accept(
          leftBehind.get(i) ? new Outcome.LeftBehind<>(call) : new Outcome.Returned<>(answer(call)),
          i);
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
