package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.nvml.inventory.Turn;
import io.gpureclaimer.nvml.inventory.Turns;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.nvml.session.DriverThread.Outcome.LeftBehind;
import io.gpureclaimer.nvml.session.DriverThread.Outcome.Returned;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Asks each GPU on the driver's thread, for a while only. One that has answered before and does not
 * come back soon is left alone, and the others go on; only when it has not come back for long is it
 * given up. One that came back late is waited for the next time: it is slow, and does not hang.
 * Confined to who visits the driver.
 */
final class SurveyTurns implements Turns {
  private final DriverThread thread;
  private final Duration patience;
  private final Duration deadline;
  private final MonotonicClock monotonic;
  private final Map<Integer, Call> stuck = new HashMap<>();
  private final Set<Integer> slow = new HashSet<>();

  /**
   * @param patience with a GPU that has answered before
   * @param deadline after which a GPU is given up
   * @param monotonic monotonic clock
   */
  SurveyTurns(DriverThread thread, Duration patience, Duration deadline, MonotonicClock monotonic) {
    this.thread = thread;
    this.patience = patience;
    this.deadline = deadline;
    this.monotonic = monotonic;
  }

  private record Call(Future<?> answer, long began) {}

  @Override
  public <T> Turn<T> take(int gpu, boolean answered, Supplier<T> questions) {
    stuck.values().removeIf(call -> call.answer().isDone());
    if (stuck.containsKey(gpu)) {
      return notBack(stuck.get(gpu));
    }
    boolean soon = answered && !slow.contains(gpu) && patience.compareTo(deadline) < 0;
    long began = monotonic.nanos();
    return switch (thread.ask(questions::get, soon ? patience : deadline)) {
      case Returned<T>(var answer) -> {
        slow.remove(gpu);
        yield new Turn.Taken<>(answer);
      }
      case LeftBehind<T>(var late) -> {
        var call = new Call(late, began);
        stuck.put(gpu, call);
        slow.add(gpu);
        yield notBack(call);
      }
    };
  }

  private <T> Turn<T> notBack(Call call) {
    return monotonic.nanos() - call.began() < deadline.toNanos()
        ? new Turn.Awaited<>()
        : new Turn.Silent<>();
  }
}
