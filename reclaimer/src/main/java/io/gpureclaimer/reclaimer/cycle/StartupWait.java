package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import java.time.Duration;
import java.util.function.Supplier;

/** Observation that gives the watches of a program that has just started a moment to fill. */
public class StartupWait {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final ReclaimCycle cycle;
  private final Duration patience;
  private final MonotonicClock monotonic;

  StartupWait(ReclaimCycle cycle, Duration patience, MonotonicClock monotonic) {
    this.cycle = cycle;
    this.patience = patience;
    this.monotonic = monotonic;
  }

  /**
   * Observes and plans, again until it succeeds or the patience is over.
   *
   * @throws ClusterUnreachable if the last try failed
   */
  public CycleReport plan() {
    return retry(cycle::plan);
  }

  /**
   * Reads the cluster alone, in the same way.
   *
   * @throws ClusterUnreachable if the last try failed
   */
  public ClusterView cluster() {
    return retry(cycle::cluster);
  }

  private <T> T retry(Supplier<T> question) {
    long deadline = monotonic.nanos() + patience.toNanos();
    while (true) {
      try {
        return question.get();
      } catch (ClusterUnreachable e) {
        if (monotonic.nanos() > deadline || !paused()) {
          throw e;
        }
      }
    }
  }

  private static boolean paused() {
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
