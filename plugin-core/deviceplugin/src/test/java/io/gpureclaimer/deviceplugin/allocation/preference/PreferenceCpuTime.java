package io.gpureclaimer.deviceplugin.allocation.preference;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Prints the CPU time of single questions about 16 free GPUs, which other programs on the machine
 * stretch less than wall time: the very first one of the program, and percentiles for every size.
 */
final class PreferenceCpuTime {
  private static final int GPUS = 16;
  private static final int QUESTIONS = 1_000;
  private static final double MICROSECOND = 1_000.0;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final PreferredAllocation preference;
  private final Set<String> free;

  private PreferenceCpuTime(MachineTopology machine) {
    preference = machine.preference();
    free = machine.candidates().stream().map(Candidate::id).collect(Collectors.toSet());
  }

  public static void main(String[] args) {
    var time = new PreferenceCpuTime(MachineTopology.nvswitch(GPUS));
    System.out.println(
        String.format(Locale.ROOT, "cpu.first %.0f µs", time.of(GPUS / 2) / MICROSECOND));
    for (int size = 1; size <= GPUS; size++) {
      System.out.println(time.row(size));
    }
  }

  private String row(int size) {
    long[] taken = new long[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++) {
      taken[i] = of(size);
    }
    Arrays.sort(taken);
    return String.format(
        Locale.ROOT,
        "cpu.%d.median %.0f µs%ncpu.%d.p99 %.0f µs",
        size,
        taken[QUESTIONS / 2] / MICROSECOND,
        size,
        taken[QUESTIONS * 99 / 100] / MICROSECOND);
  }

  private long of(int size) {
    long before = threads.getCurrentThreadCpuTime();
    preference.choose(free, Set.of(), size);
    return threads.getCurrentThreadCpuTime() - before;
  }
}
