package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import java.time.Duration;
import java.util.function.Supplier;

/** A look that gives the watches of a program that has just started a moment to fill. */
public class FirstLook {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final ReclaimCycle cycle;
  private final Duration patience;

  FirstLook(ReclaimCycle cycle, Duration patience) {
    this.cycle = cycle;
    this.patience = patience;
  }

  /**
   * Looks, again and again until it succeeds or the patience is at its end.
   *
   * @throws ClusterUnreachable if the last look failed
   */
  public CycleReport look() {
    return patiently(cycle::look);
  }

  /**
   * Looks at the cluster alone, in the same way.
   *
   * @throws ClusterUnreachable if the last look failed
   */
  public ClusterView cluster() {
    return patiently(cycle::cluster);
  }

  private <T> T patiently(Supplier<T> look) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return look.get();
      } catch (ClusterUnreachable e) {
        if (System.nanoTime() > deadline || !paused()) {
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
