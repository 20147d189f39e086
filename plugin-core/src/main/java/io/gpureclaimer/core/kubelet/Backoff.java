package io.gpureclaimer.core.kubelet;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Ever longer pauses, up to a longest one, each a quarter shorter or longer by chance so that many
 * nodes do not come at once. Confined to one thread.
 */
final class Backoff {
  private static final double SPREAD = 0.25;

  private final Duration first;
  private final Duration longest;
  private final RandomGenerator random;
  private Duration next;

  Backoff(Duration first, Duration longest, RandomGenerator random) {
    this.first = first;
    this.longest = longest;
    this.random = random;
    this.next = first;
  }

  /** The pause after one more failure. */
  Duration pause() {
    Duration pause = next;
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(longest) < 0 ? doubled : longest;
    return Duration.ofNanos((long) (pause.toNanos() * random.nextDouble(1 - SPREAD, 1 + SPREAD)));
  }

  /** As if nothing had failed yet. */
  void reset() {
    next = first;
  }
}
