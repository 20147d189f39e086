package io.gpureclaimer.exporter.collect.computed;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How many pages of a GPU's memory were retired for double-bit errors in the last week, as far as
 * this program has seen it. Confined to the thread that takes the GPU's turn.
 */
final class RetiredPages {
  private static final long WEEK = Duration.ofDays(7).toNanos();

  /** Each count that was told, and when it was told first; the oldest may be older than a week. */
  private final Deque<Count> counts = new ArrayDeque<>();

  private record Count(double pages, long nanos) {}

  /**
   * Those of the last week.
   *
   * @param pages how many there are now
   * @param nanos now, by a clock that nobody sets
   */
  double thisWeek(double pages, long nanos) {
    if (counts.isEmpty() || counts.getLast().pages() != pages) {
      counts.addLast(new Count(pages, nanos));
    }
    Count first = counts.removeFirst();
    while (!counts.isEmpty() && nanos - counts.getFirst().nanos() >= WEEK) {
      first = counts.removeFirst();
    }
    counts.addFirst(first);
    return pages - first.pages();
  }
}
