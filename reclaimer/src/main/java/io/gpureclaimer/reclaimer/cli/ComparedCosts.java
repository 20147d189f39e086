package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.plan.VictimCost;
import io.gpureclaimer.reclaimer.simulate.ComparedPolicy;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.Optional;
import java.util.Random;

/** Costs of victims by which a simulation compares this program with simpler choices. */
final class ComparedCosts {
  private static final long MILLION = 1_000_000;

  private ComparedCosts() {}

  /** The cost of a policy; empty if it is that of this program, or chooses no victims. */
  static Optional<VictimCost> of(ComparedPolicy policy, long seed) {
    return switch (policy) {
      case LONGEST_IDLE -> Optional.of((_, _) -> ComparedCosts::shortIdleTime);
      case FEWEST_PODS -> Optional.of((_, _) -> due -> due.workload().pods().size());
      case RANDOM -> Optional.of((_, _) -> due -> random(due, seed));
      case NONE, PREEMPTION, REPORT, ON_DEMAND, ALWAYS, ANY_GPU_30M, AVERAGE_10, ORACLE ->
          Optional.empty();
    };
  }

  private static long shortIdleTime(Due due) {
    return MILLION * MILLION / Math.max(1, due.idleFor().toSeconds());
  }

  /** The same for one idle period, so that a plan does not change from cycle to cycle. */
  private static long random(Due due, long seed) {
    long hash = 31L * due.workload().toString().hashCode() + due.idleSince().getEpochSecond();
    return 1 + new Random(seed * MILLION + hash).nextLong(MILLION);
  }
}
