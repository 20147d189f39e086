package io.gpureclaimer.reclaimer.simulate;

import java.util.function.BiPredicate;

/**
 * Rules of other programs, each a function of what a running workload does and will do. None acts
 * on a workload of which it would have to know what is unknown.
 */
final class BaselineRules {
  private static final int PRUNER_INTERVAL = 180;
  private static final int PRUNER_WINDOW = 1_800;
  private static final int PRUNER_GRACE = 300;
  private static final int AVERAGE_WINDOW = 3_600;
  private static final double AVERAGE_LIMIT = 0.1;

  private BaselineRules() {}

  /** Whether a policy reclaims a workload that runs, at a second of the trace. */
  static BiPredicate<SimulatedWorkload, Long> of(ComparedPolicy policy) {
    return switch (policy) {
      case NONE, PREEMPTION, REPORT, ON_DEMAND, LONGEST_IDLE, FEWEST_PODS, RANDOM, ALWAYS ->
          (_, _) -> false;
      case ANY_GPU_30M -> BaselineRules::anyGpuIdle;
      case AVERAGE_10 -> BaselineRules::lowAverage;
      case ORACLE ->
          (workload, now) -> workload.nextActivity(now).isEmpty() && !workload.isUnknownFrom(now);
    };
  }

  /** It acts on owners that it can scale or stop, which Jobs are not. */
  private static boolean anyGpuIdle(SimulatedWorkload workload, long now) {
    return now % PRUNER_INTERVAL == 0
        && workload.trace().kind() != WorkloadKind.TRAINING
        && workload.runningFor(now) >= PRUNER_WINDOW + PRUNER_GRACE
        && !workload.hasUnknown(now - PRUNER_WINDOW, now + 1)
        && (workload.trace().usedGpus() < workload.trace().gpus()
            || workload.meanLevel(now - PRUNER_WINDOW, now) == 0);
  }

  private static boolean lowAverage(SimulatedWorkload workload, long now) {
    return workload.runningFor(now) >= AVERAGE_WINDOW
        && !workload.hasUnknown(now - AVERAGE_WINDOW, now + 1)
        && workload.meanLevel(now - AVERAGE_WINDOW, now)
                * workload.trace().usedGpus()
                / workload.trace().gpus()
            < AVERAGE_LIMIT;
  }
}
