package io.gpureclaimer.common.retry;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** Pause after failures: doubled up to a limit, with up to 20 % jitter. Confined to one thread. */
public final class Backoff {
  private static final double JITTER = 0.2;

  private final Duration first;
  private final Duration most;
  private final DoubleSupplier random;
  private Duration next;

  /**
   * @param first pause
   * @param most that a pause grows to
   * @param random from 0 to 1
   */
  public Backoff(Duration first, Duration most, DoubleSupplier random) {
    this.first = first;
    this.most = most.compareTo(first) > 0 ? most : first;
    this.random = random;
    this.next = first;
  }

  /** The pause after one more failure. */
  public Duration next() {
    Duration pause = next;
    Duration doubled = pause.multipliedBy(2);
    next = doubled.compareTo(most) < 0 ? doubled : most;
    return pause.plusNanos((long) (pause.toNanos() * JITTER * random.getAsDouble()));
  }

  /** A success: the next failure is a first one. */
  public void reset() {
    next = first;
  }
}
