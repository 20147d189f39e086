package io.gpureclaimer.reclaimer.simulate;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Figures of one policy over one trace. GPU time is in GPU-hours.
 *
 * @param seed of the trace and its activity
 * @param policy code of the policy
 * @param hours how long the simulation lasted
 * @param gpus how many GPUs the cluster has
 * @param usage how the GPUs were used
 * @param pending how long pods were pending, of all pods and by how many GPUs they request
 * @param returns how long people waited whose workload had been reclaimed, until it ran again
 * @param work what was computed
 * @param reclaims what was reclaimed, and what followed
 * @param freed what became of the GPUs
 * @param series usage in each hour
 */
public record SimulationResult(
    long seed,
    ComparedPolicy policy,
    double hours,
    int gpus,
    UsageFigures usage,
    SortedMap<String, WaitSummary> pending,
    WaitSummary returns,
    WorkFigures work,
    ReclaimFigures reclaims,
    FreedFigures freed,
    List<HourlyUsage> series) {
  /** Key of all pods in {@link #pending}. */
  public static final String ALL = "all";

  public SimulationResult {
    series = List.copyOf(series);
  }

  /** Pending times of all pods. */
  public WaitSummary allPending() {
    return pending.getOrDefault(ALL, new WaitSummary(0, 0, 0, 0, 0));
  }

  /**
   * How GPUs were used.
   *
   * @param allocated held by pods, terminating ones among them
   * @param free not held by any pod
   * @param active held by pods and used by them
   */
  public record UsageFigures(double allocated, double free, double active) {
    /** Share of the GPU time that was allocated, in percent. */
    public double allocatedPercent() {
      return percent(allocated, allocated + free);
    }

    /** Share of the allocated GPU time that was active, in percent. */
    public double activePercent() {
      return percent(active, allocated);
    }
  }

  /**
   * Percentiles of pending times, by the nearest rank.
   *
   * @param pods how many times
   * @param unserved how many of these pods never got their GPUs; their times are too short
   */
  public record WaitSummary(
      int pods, int unserved, long p50Seconds, long p95Seconds, long p99Seconds) {}

  /**
   * What was computed.
   *
   * @param trainings how many were completed
   * @param useful active GPU-hours of all kinds, without those that were lost
   * @param usefulByKind the same by kind
   * @param lost active GPU-hours that had to be repeated
   * @param missed GPU-hours in which a service had requests and did not run
   */
  public record WorkFigures(
      int trainings, double useful, Map<String, Double> usefulByKind, double lost, double missed) {}

  /**
   * What was reclaimed.
   *
   * @param total how many workloads, each as often as it was reclaimed
   * @param byAction the same by the action
   * @param whileActive of these, how many used their GPUs at that second by the trace
   * @param neededWithin30m of these, how many used their GPUs again, or wanted to, within 30
   *     minutes
   * @param neededWithin1h the same within an hour
   * @param neededWithin4h the same within four hours
   * @param disturbances how often a user wanted a workload that was reclaimed and had to wait for
   *     it
   */
  public record ReclaimFigures(
      int total,
      Map<String, Integer> byAction,
      int whileActive,
      int neededWithin30m,
      int neededWithin1h,
      int neededWithin4h,
      int disturbances) {
    /** Share of what was reclaimed and needed again within an hour, in percent. */
    public double regretPercent() {
      return percent(neededWithin1h, total);
    }
  }

  /**
   * What became of reclaimed GPUs.
   *
   * @param total until the reclaimed workload ran again or would have ended
   * @param used of these, held by other workloads
   * @param usedBy the same by namespace
   */
  public record FreedFigures(double total, double used, Map<String, Double> usedBy) {}

  /**
   * Usage in one hour.
   *
   * @param allocated mean number of GPUs that pods held
   * @param active mean number of GPUs that were used
   */
  public record HourlyUsage(double allocated, double active) {}

  private static double percent(double part, double whole) {
    return whole == 0 ? 0 : 100 * part / whole;
  }
}
