package io.gpureclaimer.exporter.collect.computed;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * What a GPU told in the last minute, every few seconds. Confined to the thread that takes the
 * GPU's turn.
 */
final class LastMinute {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration APART = Duration.ofSeconds(5);

  private final Deque<Look> looks = new ArrayDeque<>();

  private record Look(long nanos, Map<Integer, Double> values) {}

  /** The oldest values of the last minute, and how long ago they were told. */
  record First(Map<Integer, Double> values, Duration age) {}

  /** Remembers what is told now, if the last time is long enough ago, and answers the oldest. */
  First firstOf(Map<Integer, Double> now, long nanos) {
    looks.removeIf(look -> nanos - look.nanos() > MINUTE.toNanos());
    if (looks.isEmpty() || nanos - looks.getLast().nanos() >= APART.toNanos()) {
      looks.addLast(new Look(nanos, Map.copyOf(now)));
    }
    var first = looks.getFirst();
    return new First(first.values(), Duration.ofNanos(nanos - first.nanos()));
  }
}
