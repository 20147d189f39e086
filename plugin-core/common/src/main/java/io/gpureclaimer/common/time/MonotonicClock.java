package io.gpureclaimer.common.time;

/**
 * Monotonic clock for measuring how long something takes. Changes of the system time do not affect
 * it, and its origin is arbitrary: only differences of two readings have a meaning.
 */
@FunctionalInterface
public interface MonotonicClock {

  /** The clock of this JVM. */
  MonotonicClock SYSTEM = System::nanoTime;

  /** Current reading in nanoseconds. Compare two readings by their difference, it may overflow. */
  long nanos();
}
