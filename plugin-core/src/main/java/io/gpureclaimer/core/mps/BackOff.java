package io.gpureclaimer.core.mps;

import java.time.Duration;

/** Ever longer pauses, from a second to a minute. Confined to one thread. */
final class BackOff {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private Duration next = FIRST;

  /** The pause before the next try, after one more failure. */
  Duration pause() {
    Duration pause = next;
    Duration twice = next.multipliedBy(2);
    next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    return pause;
  }

  /** It works again. */
  void reset() {
    next = FIRST;
  }
}
