package io.gpureclaimer.exporter.faults;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Measures for how long the machine leaves threads waiting that should run. */
final class MachineStalls implements AutoCloseable {
  private static final long NAP = Duration.ofMillis(20).toNanos();
  private static final Duration LATELY = Duration.ofSeconds(20);

  private final Deque<Stall> stalls = new ArrayDeque<>();
  private final Thread sleeper = Thread.ofPlatform().daemon().name("stalls").start(this::run);

  private record Stall(long end, long nanos) {}

  /** The sum of those of the last 20 seconds. */
  synchronized Duration lately() {
    stalls.removeIf(stall -> stall.end() < System.nanoTime() - LATELY.toNanos());
    return within(LATELY);
  }

  /** The sum of those that ended within this time, at most 20 seconds. */
  synchronized Duration within(Duration time) {
    long since = System.nanoTime() - time.toNanos();
    return Duration.ofNanos(
        stalls.stream().filter(stall -> stall.end() >= since).mapToLong(Stall::nanos).sum());
  }

  @Override
  public void close() {
    sleeper.interrupt();
  }

  private void run() {
    try {
      while (true) {
        long began = System.nanoTime();
        Thread.sleep(Duration.ofNanos(NAP));
        long late = System.nanoTime() - began - NAP;
        if (late > NAP) {
          note(began + NAP + late, late);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void note(long end, long nanos) {
    stalls.add(new Stall(end, nanos));
  }
}
