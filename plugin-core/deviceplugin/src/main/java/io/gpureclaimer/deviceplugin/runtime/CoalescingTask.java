package io.gpureclaimer.deviceplugin.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Task on another thread, so that its caller never waits. Values submitted before a run begins are
 * merged into one run. Safe for several threads.
 */
final class CoalescingTask<T> {
  private static final Logger log = LoggerFactory.getLogger(CoalescingTask.class);

  private final Executor thread;
  private final BinaryOperator<T> merge;
  private final Consumer<T> task;
  private final AtomicReference<@Nullable T> pending = new AtomicReference<>();

  /**
   * @param thread runs one task at a time
   * @param merge makes one value of a pending and a newer one
   */
  CoalescingTask(Executor thread, BinaryOperator<T> merge, Consumer<T> task) {
    this.thread = thread;
    this.merge = merge;
    this.task = task;
  }

  /** Only the newest value counts. */
  static <T> CoalescingTask<T> newest(Executor thread, Consumer<T> task) {
    return new CoalescingTask<>(thread, (_, newer) -> newer, task);
  }

  void submit(T value) {
    T before =
        pending.getAndAccumulate(
            value, (known, newer) -> known == null ? newer : merge.apply(known, newer));
    if (before == null) {
      try {
        thread.execute(this::run);
      } catch (RejectedExecutionException e) {
        log.debug("task not run: the program is being stopped", e);
      }
    }
  }

  private void run() {
    T value = pending.getAndSet(null);
    if (value != null) {
      task.accept(value);
    }
  }
}
