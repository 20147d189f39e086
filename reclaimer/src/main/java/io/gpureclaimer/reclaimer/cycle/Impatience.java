package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.common.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a program that has just started, and has seen nothing yet, look again within seconds, less
 * and less often, instead of leaving it blind until the next cycle is due. It is over when
 * something was seen, or after one interval. Confined to the thread of the cycle.
 */
final class Impatience {
  private static final Logger log = LoggerFactory.getLogger(Impatience.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final int PAUSES_PER_INTERVAL = 4;

  private final Duration interval;
  private final InstantSource clock;
  private final Sleep sleep;
  private final Backoff pauses;
  private Optional<Instant> end = Optional.empty();
  private boolean over;

  /** Lets a time pass. */
  interface Sleep {
    /** Returns false if it was woken because the program ends. */
    boolean passes(Duration pause);
  }

  /**
   * @param interval after which the next cycle would be due
   */
  Impatience(Duration interval, InstantSource clock, Sleep sleep) {
    this.interval = interval;
    this.clock = clock;
    this.sleep = sleep;
    this.pauses = new Backoff(FIRST_PAUSE, interval.dividedBy(PAUSES_PER_INTERVAL), Math::random);
  }

  /** Waits for nothing. */
  static Impatience none(InstantSource clock) {
    return new Impatience(Duration.ZERO, clock, _ -> false);
  }

  /**
   * What came of a look; waits a little if it is worth another one.
   *
   * @return whether to look again now
   */
  boolean looksAgain(boolean seen) {
    if (over || seen) {
      over = true;
      return false;
    }
    Instant now = clock.instant();
    boolean first = end.isEmpty();
    Instant until = end.orElseGet(() -> now.plus(interval));
    end = Optional.of(until);
    Duration pause = pauses.next();
    if (now.plus(pause).isAfter(until)) {
      over = true;
      return false;
    }
    if (first) {
      log.info("nothing could be seen at the start; looking again soon, until {}", until);
    }
    return sleep.passes(pause);
  }

  /** Really sleeps. */
  static boolean asleep(Duration pause) {
    try {
      Thread.sleep(pause);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
