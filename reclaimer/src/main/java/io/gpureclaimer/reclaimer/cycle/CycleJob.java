package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.reclaimer.audit.Auditor;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a cycle at a fixed delay and publishes what it saw. Holds no logic of its own. */
@Context
@Order(10)
@Requires(property = "reclaimer.schedule", value = "true")
class CycleJob {
  private final StartupWait startup;
  private final ReclaimCycle cycle;
  private final LatestReport latest;
  private final Leadership leadership;
  private final Auditor auditor;
  private final StartupRetry retry;

  CycleJob(
      StartupWait startup,
      ReclaimCycle cycle,
      LatestReport latest,
      Leadership leadership,
      Auditor auditor,
      StartupRetry retry) {
    this.startup = startup;
    this.cycle = cycle;
    this.latest = latest;
    this.leadership = leadership;
    this.auditor = auditor;
    this.retry = retry;
  }

  /** One cycle; the first one is repeated soon while the source does not answer. */
  @Scheduled(fixedDelay = "${reclaimer.interval}")
  void tick() {
    boolean again = true;
    while (again) {
      again = retry.shouldRetry(sees());
    }
  }

  /** What an abandoned cycle has done is recorded all the same. */
  private boolean sees() {
    auditor.begins();
    try {
      CycleReport planned = latest.get().isEmpty() ? startup.plan() : cycle.plan();
      auditor.planned(planned);
      latest.publish(planned);
      if (leadership.isHeld()) {
        latest.publish(cycle.act(planned, auditor));
      }
      auditor.finished();
      return planned.observation() instanceof Observation.Seen;
    } catch (ClusterUnreachable e) {
      auditor.abandoned(e);
      return false;
    }
  }

  /**
   * Retry of the first cycle within seconds, at growing intervals, while the evidence source does
   * not answer yet. It ends with the first answer, or after one interval. Confined to the thread of
   * the cycle.
   */
  static final class StartupRetry {
    private static final Logger log = LoggerFactory.getLogger(StartupRetry.class);
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
    StartupRetry(Duration interval, InstantSource clock, Sleep sleep) {
      this.interval = interval;
      this.clock = clock;
      this.sleep = sleep;
      this.pauses = new Backoff(FIRST_PAUSE, interval.dividedBy(PAUSES_PER_INTERVAL), Math::random);
    }

    /** Never retries. */
    static StartupRetry none(InstantSource clock) {
      return new StartupRetry(Duration.ZERO, clock, _ -> false);
    }

    /**
     * Takes the outcome of a cycle, and waits if another one makes sense.
     *
     * @return whether to run another cycle now
     */
    boolean shouldRetry(boolean seen) {
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
        log.info("first cycle failed; trying again soon, until {}", until);
      }
      return sleep.passes(pause);
    }

    /** Sleeps on the current thread. */
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
}
