package io.gpureclaimer.reclaimer.cycle;

import java.util.Map;
import java.util.TreeMap;

/** How often something happened in random runs. Confined to one thread. */
final class EventTally {
  private final Map<String, Long> counts = new TreeMap<>();

  void count(String what) {
    count(what, 1);
  }

  void count(String what, long times) {
    counts.merge(what, times, Long::sum);
  }

  void add(EventTally other) {
    other.counts.forEach(this::count);
  }

  Map<String, Long> counts() {
    return Map.copyOf(counts);
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
