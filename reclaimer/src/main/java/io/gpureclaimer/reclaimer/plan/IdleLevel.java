package io.gpureclaimer.reclaimer.plan;

import java.time.Instant;
import java.util.Optional;

/**
 * How much of the cluster is usually idle, as the last looks had it.
 *
 * @param share of the GPUs
 * @param workloads how many
 * @param jumpedAt since when far more has been idle than that, if it is
 */
record IdleLevel(double share, int workloads, Optional<Instant> jumpedAt) {

  /** What the first look found; there is nothing to compare it with. */
  static IdleLevel of(Census census) {
    return new IdleLevel(census.idleShare(), census.idleWorkloads(), Optional.empty());
  }

  /** The level after one more look that has seen enough. */
  IdleLevel after(Census census, BreakerLimits limits, Instant now) {
    boolean jumped =
        census.idleShare() - share >= limits.maxIdleJump()
            && census.idleWorkloads() - workloads >= limits.jumpWorkloads();
    if (!jumped) {
      return of(census);
    }
    Instant since = jumpedAt.orElse(now);
    boolean lasted = !now.isBefore(since.plus(limits.jumpSettles()));
    return lasted ? of(census) : new IdleLevel(share, workloads, Optional.of(since));
  }
}
