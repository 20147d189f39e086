package io.gpureclaimer.nvml.session;

import io.gpureclaimer.nvml.session.DriverThread.Outcome;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjIntConsumer;

/**
 * Calls that are made one after the other by one thread, while another watches. The watcher may
 * leave one behind that hangs, or whose thread did not come to it: that thread makes this one and
 * no more of them, and a third one has to go on. When a call throws, those after it are not made.
 */
final class Round<T> {
  private final List<FutureTask<T>> calls;
  private final AtomicReference<Current> current;

  /** What the watcher knows. */
  private final BitSet leftBehind = new BitSet();

  private int told;

  /** The first of them counts as begun. */
  Round(List<Callable<T>> calls) {
    this.calls = calls.stream().map(FutureTask::new).toList();
    this.current = new AtomicReference<>(new Current(0, System.nanoTime()));
  }

  /**
   * The call that is being made, or is to be made next.
   *
   * @param index which one; beyond all of them when none is
   * @param since when it began, on the clock of {@link System#nanoTime}
   */
  record Current(int index, long since) {}

  Current current() {
    return current.get();
  }

  boolean hasMore() {
    return current().index() < calls.size();
  }

  /** For the thread that makes them: that one in any case, and then the others. */
  void make(Current first) {
    Current now = first;
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

  /** For the one that watches: the call that is being made is the last one. */
  void stop() {
    current.set(new Current(calls.size(), System.nanoTime()));
  }

  private static Current after(Current one) {
    return new Current(one.index() + 1, System.nanoTime());
  }

  FutureTask<T> call(Current which) {
    return calls.get(which.index());
  }

  /**
   * For the one that watches: tells, once, what became of those that are not waited for any more.
   *
   * @throws RuntimeException what the call threw that did, after those before it have been told
   */
  void tell(ObjIntConsumer<Outcome<T>> each) {
    while (told < calls.size() && (leftBehind.get(told) || calls.get(told).isDone())) {
      FutureTask<T> call = calls.get(told);
      each.accept(
          leftBehind.get(told)
              ? new Outcome.LeftBehind<>(call)
              : new Outcome.Returned<>(answer(call)),
          told++);
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
