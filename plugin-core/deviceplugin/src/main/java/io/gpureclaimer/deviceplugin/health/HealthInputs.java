package io.gpureclaimer.deviceplugin.health;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Observed quantities of one GPU, by DCGM's field number and in DCGM's unit.
 *
 * @param now the newest value of each; what the GPU did not report is absent
 * @param before the oldest values of the last minute
 * @param apart the time between the two
 * @param failed fields that the GPU should report and failed to
 * @param xidsHeard the codes heard since the program's start
 * @param listening whether one that happens now would be heard
 * @param retiredThisWeek pages that were seen to be retired for double-bit errors within a week
 * @param linksDown NVLinks that are enabled and down; null if not polled
 */
public record HealthInputs(
    Map<Integer, Double> now,
    Map<Integer, Double> before,
    Duration apart,
    Set<Integer> failed,
    Set<Integer> xidsHeard,
    boolean listening,
    double retiredThisWeek,
    @Nullable Integer linksDown) {
  public HealthInputs {
    now = Map.copyOf(now);
    before = Map.copyOf(before);
    failed = Set.copyOf(failed);
    xidsHeard = Set.copyOf(xidsHeard);
  }

  boolean has(int field) {
    return now.containsKey(field);
  }

  OptionalDouble value(int field) {
    var value = now.get(field);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** How much it grew over the last minute; empty if it is not known then and now, or went back. */
  OptionalDouble growth(int field) {
    var last = now.get(field);
    var first = before.get(field);
    return last == null || first == null || last < first
        ? OptionalDouble.empty()
        : OptionalDouble.of(last - first);
  }

  boolean hasAnyOf(Set<Integer> codes) {
    return codes.stream().anyMatch(xidsHeard::contains);
  }

  OptionalInt downLinks() {
    return linksDown == null ? OptionalInt.empty() : OptionalInt.of(linksDown);
  }
}
