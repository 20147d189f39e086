package io.gpureclaimer.reclaimer.simulate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Figures of one policy over one trace. GPU time is in GPU-hours.
 *
 * @param seed of the trace and its activity
 * @param policy code of the policy
 * @param hours how long the simulation lasted
 * @param gpus how many GPUs the cluster has at the start
 * @param usage how the GPUs were used
 * @param pending how long pods and groups were pending: of all of them, of pods by how many GPUs
 *     they request, and of groups by how many GPUs their pods request together, up to a power of
 *     two
 * @param pendingByPriority the same by the priority of the workload in the trace
 * @param returns how long people waited whose workload had been reclaimed, until it ran again
 * @param work what was computed
 * @param reclaims how much was reclaimed, and what followed
 * @param actions each of them, in order of time
 * @param freed what became of the GPUs
 * @param series usage in each hour
 */
public record SimulationResult(
    long seed,
    ComparedPolicy policy,
    double hours,
    int gpus,
    UsageFigures usage,
    SortedMap<String, WaitFigures> pending,
    SortedMap<Integer, WaitFigures> pendingByPriority,
    WaitFigures returns,
    WorkFigures work,
    ReclaimFigures reclaims,
    List<ReclaimedWorkload> actions,
    FreedFigures freed,
    List<HourlyUsage> series) {
  /** Key of all pods in {@link #pending}. */
  public static final String ALL = "all";

  /** How keys of groups in {@link #pending} begin. */
  public static final String GROUP = "group-";

  public SimulationResult {
    actions = List.copyOf(actions);
    series = List.copyOf(series);
  }

  /** Pending times of all pods. */
  public WaitFigures allPending() {
    return pending.getOrDefault(ALL, WaitFigures.NONE);
  }

  /**
   * How GPUs were used.
   *
   * @param allocated held by pods, terminating ones among them
   * @param free not held by any pod
   * @param fragmented of the free ones, unusable for a typical pod of the trace
   * @param stranded of the free ones, free while pods were pending
   * @param active held by pods and used by them
   * @param unknown held by running workloads while the trace does not know whether they were used
   */
  public record UsageFigures(
      double allocated,
      double free,
      double fragmented,
      double stranded,
      double active,
      double unknown) {
    /** Share of the free GPU time that was fragmented, in percent; absent if none was free. */
    public OptionalDouble fragmentedPercent() {
      return percent(fragmented, free);
    }

    /** Share of the GPU time that was allocated, in percent; absent if there was no GPU. */
    public OptionalDouble allocatedPercent() {
      return percent(allocated, allocated + free);
    }

    /**
     * Share of the allocated GPU time that was active, in percent, of what is known; absent if
     * nothing is.
     */
    public OptionalDouble activePercent() {
      return percent(active, allocated - unknown);
    }

    /**
     * Share of the allocated GPU time of which the activity is unknown, in percent; absent if none
     * was allocated.
     */
    public OptionalDouble unknownPercent() {
      return percent(unknown, allocated);
    }
  }

  /**
   * Pending times in seconds, in order.
   *
   * @param served of pods that got their GPUs
   * @param unserved of pods that did not; they would have been longer
   */
  public record WaitFigures(List<Integer> served, List<Integer> unserved) {
    /** No pod. */
    public static final WaitFigures NONE = new WaitFigures(List.of(), List.of());

    public WaitFigures {
      served = List.copyOf(served);
      unserved = List.copyOf(unserved);
    }

    /** How many times. */
    public int pods() {
      return served.size() + unserved.size();
    }

    /** Percentile of all times by the nearest rank; absent if there is none. */
    public OptionalInt percentile(int percent) {
      int[] all =
          Stream.concat(served.stream(), unserved.stream())
              .mapToInt(Integer::intValue)
              .sorted()
              .toArray();
      return all.length == 0
          ? OptionalInt.empty()
          : OptionalInt.of(all[Math.ceilDiv(all.length * percent, 100) - 1]);
    }
  }

  /**
   * One workload that was reclaimed.
   *
   * @param at seconds from the start of the trace
   * @param active whether it used its GPUs at that second
   * @param neededAfter seconds until it used its GPUs again, or its user wanted to; empty if that
   *     is not before the end of the simulation
   * @param lostGpuSeconds activity that had to be repeated
   */
  public record ReclaimedWorkload(
      long at,
      String namespace,
      String name,
      String action,
      int gpus,
      boolean active,
      Optional<Long> neededAfter,
      long lostGpuSeconds) {}

  /**
   * Computed work.
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
   * Reclaimed workloads and GPUs.
   *
   * @param total how many workloads, each as often as it was reclaimed
   * @param byAction the same by the action
   * @param whileActive of these, how many used their GPUs at that second by the trace
   * @param neededWithin30m of these, how many used their GPUs again, or wanted to, within 30
   *     minutes
   * @param neededWithin1h the same within an hour
   * @param neededWithin4h the same within four hours
   * @param unknownAfter of how many the activity was unknown before they are known to have been
   *     needed
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
      int unknownAfter,
      int disturbances) {
    /**
     * Share of what was reclaimed and needed again within an hour, in percent; absent if nothing
     * was reclaimed.
     */
    public OptionalDouble regretPercent() {
      return percent(neededWithin1h, total);
    }
  }

  /**
   * Use of reclaimed GPUs.
   *
   * @param total until the reclaimed workload ran again or would have ended
   * @param used of these, held by other workloads
   * @param usedBy the same by namespace
   * @param forUnits freed for a pending workload: until that had run, or the reclaimed one ran
   *     again
   * @param usedByUnits of these, held by the workloads for which they were freed
   */
  public record FreedFigures(
      double total, double used, Map<String, Double> usedBy, double forUnits, double usedByUnits) {

    /**
     * Share of what was freed for pending workloads that they used, in percent; absent if nothing
     * was.
     */
    public OptionalDouble usedByUnitsPercent() {
      return percent(usedByUnits, forUnits);
    }
  }

  /**
   * Usage in one hour.
   *
   * @param allocated mean number of GPUs that pods held
   * @param active mean number of GPUs that were used
   */
  public record HourlyUsage(double allocated, double active) {}

  private static OptionalDouble percent(double part, double whole) {
    return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of(100 * part / whole);
  }
}
