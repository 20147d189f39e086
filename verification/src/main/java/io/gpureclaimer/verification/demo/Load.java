package io.gpureclaimer.verification.demo;

import java.time.Duration;

/**
 * What a pod does with each of its GPUs.
 *
 * @param busyPercent utilization while it works
 * @param memoryMib what it keeps in the GPU's memory, working or not
 * @param pattern when it works
 */
record Load(int busyPercent, int memoryMib, Pattern pattern) {

  /** When a pod works, by its age. */
  interface Pattern {
    boolean worksAt(Duration age);
  }

  static Load steady(int busyPercent, int memoryMib) {
    return new Load(busyPercent, memoryMib, _ -> true);
  }

  static Load none(int memoryMib) {
    return new Load(0, memoryMib, _ -> false);
  }

  /** Works for a few seconds again and again, like somebody at a notebook. */
  static Load bursts(int busyPercent, int memoryMib, Duration every, Duration length) {
    return new Load(
        busyPercent, memoryMib, age -> age.toMillis() % every.toMillis() < length.toMillis());
  }

  /** Works, pauses once, and works on. */
  static Load pause(int busyPercent, int memoryMib, Duration from, Duration until) {
    return new Load(
        busyPercent, memoryMib, age -> age.compareTo(from) < 0 || age.compareTo(until) >= 0);
  }

  int percentAt(Duration age) {
    return pattern.worksAt(age) ? busyPercent : 0;
  }
}
