package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.simulate.SimulatedWorkload.WorkInterruption;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.FreedFigures;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.HourlyUsage;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.ReclaimFigures;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.ReclaimedWorkload;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.UsageFigures;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.WaitFigures;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.WorkFigures;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Sums of one run. Confined to the thread of the simulation. */
final class RunTotals {
  private static final long HOUR = 3_600;
  private static final double SECONDS_PER_HOUR = 3_600;
  private static final long SOON = 1_800;
  private static final long LATER = 4 * HOUR;

  private final long end;
  private final long[] allocatedByHour;
  private final long[] activeByHour;
  private final SortedMap<String, WaitTimes> pending = new TreeMap<>();
  private final SortedMap<Integer, WaitTimes> pendingByPriority = new TreeMap<>();
  private final WaitTimes returns = new WaitTimes();
  private final Map<WorkloadKind, Long> active = new EnumMap<>(WorkloadKind.class);
  private final Map<WorkloadKind, Long> lost = new EnumMap<>(WorkloadKind.class);
  private final SortedMap<String, Integer> actions = new TreeMap<>();
  private final List<ReclaimedWorkload> reclaimed = new ArrayList<>();
  private long freeSeconds;
  private double fragmentedSeconds;
  private long strandedSeconds;
  private long unknownSeconds;
  private long missed;
  private int trainings;
  private int whileActive;
  private int within30m;
  private int within1h;
  private int within4h;
  private int unknownAfter;
  private int disturbances;

  RunTotals(long end) {
    this.end = end;
    int hours = Math.toIntExact(Math.ceilDiv(end, HOUR));
    this.allocatedByHour = new long[hours];
    this.activeByHour = new long[hours];
  }

  /**
   * GPUs that no pod held for a while.
   *
   * @param fragmented of that, GPU seconds that a typical pod could not use
   */
  void free(long gpuSeconds, double fragmented) {
    freeSeconds += gpuSeconds;
    fragmentedSeconds += fragmented;
  }

  /** GPUs that no pod held although pods were pending. */
  void stranded(long gpuSeconds) {
    strandedSeconds += gpuSeconds;
  }

  /** A pod held so many GPUs. */
  void held(int gpus, long from, long to) {
    spread(allocatedByHour, from, to, gpus);
  }

  /** A workload used its GPUs as its activity says, and ran for that time. */
  void used(SimulatedWorkload workload, long from, long to) {
    int gpus = workload.trace().usedGpus();
    unknownSeconds += workload.unknownSeconds(from, to) * workload.trace().gpus();
    for (long hour = from / HOUR; hour * HOUR < to; hour++) {
      long seconds =
          workload.activeSeconds(Math.max(from, hour * HOUR), Math.min(to, (hour + 1) * HOUR));
      activeByHour[Math.toIntExact(hour)] += seconds * gpus;
      active.merge(workload.trace().kind(), seconds * gpus, Long::sum);
    }
  }

  private static void spread(long[] hours, long from, long to, int gpus) {
    for (long hour = from / HOUR; hour * HOUR < to; hour++) {
      hours[Math.toIntExact(hour)] +=
          gpus * (Math.min(to, (hour + 1) * HOUR) - Math.max(from, hour * HOUR));
    }
  }

  /** A pod was bound, or all pods of a group. */
  void bound(TracedWorkload workload, long waited) {
    waits(SimulationResult.ALL).add(waited);
    waits(shape(workload)).add(waited);
    waitsOf(workload.priority()).add(waited);
  }

  void unserved(TracedWorkload workload, long waited) {
    waits(SimulationResult.ALL).addUnserved(waited);
    waits(shape(workload)).addUnserved(waited);
    waitsOf(workload.priority()).addUnserved(waited);
  }

  void returned(long waited) {
    returns.add(waited);
  }

  void notReturned(long waited) {
    returns.addUnserved(waited);
  }

  private WaitTimes waits(String key) {
    return pending.computeIfAbsent(key, _ -> new WaitTimes());
  }

  private WaitTimes waitsOf(int priority) {
    return pendingByPriority.computeIfAbsent(priority, _ -> new WaitTimes());
  }

  /** The GPUs of a pod; groups are counted by all their GPUs, up to the next power of two. */
  private static String shape(TracedWorkload workload) {
    int gpus = workload.gpus();
    return workload.isGroup()
        ? SimulationResult.GROUP + Integer.highestOneBit(2 * gpus - 1)
        : Integer.toString(gpus);
  }

  /** A need that lies behind the end of the simulation is not counted. */
  void reclaimed(TracedWorkload workload, String action, WorkInterruption what, long now) {
    actions.merge(action, 1, Integer::sum);
    lost.merge(workload.kind(), what.lostSeconds() * workload.usedGpus(), Long::sum);
    whileActive += what.wasActive() ? 1 : 0;
    OptionalLong needed = what.wantedAfter();
    Optional<Long> after =
        needed.isPresent() && now + needed.getAsLong() < end
            ? Optional.of(needed.getAsLong())
            : Optional.empty();
    within30m += after.filter(seconds -> seconds <= SOON).isPresent() ? 1 : 0;
    within1h += after.filter(seconds -> seconds <= HOUR).isPresent() ? 1 : 0;
    within4h += after.filter(seconds -> seconds <= LATER).isPresent() ? 1 : 0;
    OptionalLong unknown = what.unknownAfter();
    unknownAfter +=
        unknown.isPresent()
                && now + unknown.getAsLong() < end
                && after.filter(seconds -> seconds <= unknown.getAsLong()).isEmpty()
            ? 1
            : 0;
    reclaimed.add(
        new ReclaimedWorkload(
            now,
            workload.namespace(),
            workload.name(),
            action,
            workload.gpus(),
            what.wasActive(),
            after,
            what.lostSeconds() * workload.usedGpus()));
  }

  void disturbed() {
    disturbances++;
  }

  void trainingCompleted() {
    trainings++;
  }

  void missed(long gpuSeconds) {
    missed += gpuSeconds;
  }

  UsageFigures usage() {
    return new UsageFigures(
        hours(sum(allocatedByHour)),
        hours(freeSeconds),
        fragmentedSeconds / SECONDS_PER_HOUR,
        hours(strandedSeconds),
        hours(sum(activeByHour)),
        hours(unknownSeconds));
  }

  SortedMap<String, WaitFigures> pending() {
    var summaries = new TreeMap<String, WaitFigures>();
    pending.forEach((key, times) -> summaries.put(key, times.figures()));
    return summaries;
  }

  SortedMap<Integer, WaitFigures> pendingByPriority() {
    var summaries = new TreeMap<Integer, WaitFigures>();
    pendingByPriority.forEach((priority, times) -> summaries.put(priority, times.figures()));
    return summaries;
  }

  WaitFigures returns() {
    return returns.figures();
  }

  WorkFigures work() {
    var useful = new TreeMap<String, Double>();
    active.forEach(
        (kind, seconds) -> useful.put(kind.code(), hours(seconds - lost.getOrDefault(kind, 0L))));
    return new WorkFigures(
        trainings,
        useful.values().stream().mapToDouble(Double::doubleValue).sum(),
        useful,
        hours(lost.values().stream().mapToLong(Long::longValue).sum()),
        hours(missed));
  }

  ReclaimFigures reclaims() {
    return new ReclaimFigures(
        actions.values().stream().mapToInt(Integer::intValue).sum(),
        new TreeMap<>(actions),
        whileActive,
        within30m,
        within1h,
        within4h,
        unknownAfter,
        disturbances);
  }

  List<ReclaimedWorkload> actions() {
    return reclaimed;
  }

  static FreedFigures freed(FreedGpus freed) {
    var used = new TreeMap<String, Double>();
    freed.usedSeconds().forEach((namespace, seconds) -> used.put(namespace, hours(seconds)));
    return new FreedFigures(
        hours(freed.freedSeconds()),
        used.values().stream().mapToDouble(Double::doubleValue).sum(),
        used,
        hours(freed.unitSeconds()),
        hours(freed.usedByUnitSeconds()));
  }

  List<HourlyUsage> series() {
    var series = new ArrayList<HourlyUsage>(allocatedByHour.length);
    for (int hour = 0; hour < allocatedByHour.length; hour++) {
      double length = Math.min(HOUR, end - hour * HOUR);
      series.add(new HourlyUsage(allocatedByHour[hour] / length, activeByHour[hour] / length));
    }
    return series;
  }

  private static long sum(long[] values) {
    long sum = 0;
    for (long value : values) {
      sum += value;
    }
    return sum;
  }

  private static double hours(long seconds) {
    return seconds / SECONDS_PER_HOUR;
  }
}
