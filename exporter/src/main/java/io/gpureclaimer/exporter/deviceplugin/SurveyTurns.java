package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.inventory.Turns;
import io.gpureclaimer.exporter.collect.driver.DriverThread;
import io.gpureclaimer.exporter.collect.driver.DriverThread.Outcome.LeftBehind;
import io.gpureclaimer.exporter.collect.driver.DriverThread.Outcome.Returned;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Asks each GPU on the driver's thread, for a while only: one that hangs is left alone until it has
 * come back. Confined to who visits the driver.
 */
final class SurveyTurns implements Turns {
  private final DriverThread thread;
  private final Duration deadline;
  private final Map<Integer, Future<?>> stuck = new HashMap<>();

  SurveyTurns(DriverThread thread, Duration deadline) {
    this.thread = thread;
    this.deadline = deadline;
  }

  @Override
  public <T> Optional<T> take(int gpu, Supplier<T> questions) {
    stuck.values().removeIf(Future::isDone);
    if (stuck.containsKey(gpu)) {
      return Optional.empty();
    }
    return switch (thread.ask(questions::get, deadline)) {
      case Returned<T>(var answer) -> Optional.of(answer);
      case LeftBehind<T>(var call) -> {
        stuck.put(gpu, call);
        yield Optional.empty();
      }
    };
  }
}
