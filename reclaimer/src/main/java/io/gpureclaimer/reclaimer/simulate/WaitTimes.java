package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.simulate.SimulationResult.WaitSummary;
import java.util.Arrays;

/** Times for which pods were pending, in seconds. Confined to the thread of the simulation. */
final class WaitTimes {
  private long[] times = new long[64];
  private int size;
  private int unserved;

  /** Adds the time of a pod that got its GPUs. */
  void add(long seconds) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
    }
    times[size++] = seconds;
  }

  /** Adds the time of a pod that did not get its GPUs: it would have waited longer. */
  void addUnserved(long seconds) {
    add(seconds);
    unserved++;
  }

  /** Percentiles by the nearest rank; all 0 if there is no time. */
  WaitSummary summary() {
    long[] sorted = Arrays.copyOf(times, size);
    Arrays.sort(sorted);
    return new WaitSummary(
        size, unserved, percentile(sorted, 50), percentile(sorted, 95), percentile(sorted, 99));
  }

  private static long percentile(long[] sorted, int percent) {
    return sorted.length == 0 ? 0 : sorted[Math.ceilDiv(sorted.length * percent, 100) - 1];
  }
}
