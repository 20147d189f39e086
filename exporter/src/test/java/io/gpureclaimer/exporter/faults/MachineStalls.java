package io.gpureclaimer.exporter.faults;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Measures for how long the machine leaves threads waiting that should run. */
final class MachineStalls implements AutoCloseable {
  private static final long NAP = Duration.ofMillis(20).toNanos();
  private static final long LATELY = Duration.ofSeconds(20).toNanos();

  private final Deque<Stall> stalls = new ArrayDeque<>();
  private final Thread sleeper = Thread.ofPlatform().daemon().name("stalls").start(this::run);

  private record Stall(long at, long nanos) {}

  /** The sum of those of the last 20 seconds. */
  synchronized Duration lately() {
    long since = System.nanoTime() - LATELY;
    stalls.removeIf(stall -> stall.at() < since);
    return Duration.ofNanos(stalls.stream().mapToLong(Stall::nanos).sum());
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
          note(began, late);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void note(long at, long nanos) {
    stalls.add(new Stall(at, nanos));
  }
}
