package io.gpureclaimer.deviceplugin.kubelet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Histogram of latencies, in Prometheus's form.
 *
 * @param counts for each of {@link #BOUNDS}, how many took no longer; the last one is for all
 * @param total all of them together
 */
public record LatencyHistogram(List<Long> counts, Duration total) {

  /**
   * Upper bounds in ascending order; what takes longer than the last is only in the count of all.
   */
  public static final List<Duration> BOUNDS =
      List.of(
          Duration.ofMillis(1),
          Duration.ofNanos(2_500_000),
          Duration.ofMillis(5),
          Duration.ofMillis(10),
          Duration.ofMillis(25),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofMillis(2_500),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10));

  /** Nothing took any time yet. */
  public static final LatencyHistogram NONE =
      new LatencyHistogram(Collections.nCopies(BOUNDS.size() + 1, 0L), Duration.ZERO);

  public LatencyHistogram {
    counts = List.copyOf(counts);
    if (counts.size() != BOUNDS.size() + 1) {
      throw new IllegalArgumentException(
          "there must be " + (BOUNDS.size() + 1) + " counts, were " + counts.size());
    }
  }

  /** How many answers there were. */
  public long count() {
    return counts.getLast();
  }

  LatencyHistogram with(Duration took) {
    var more = new ArrayList<Long>();
    for (int bound = 0; bound < BOUNDS.size(); bound++) {
      more.add(counts.get(bound) + (took.compareTo(BOUNDS.get(bound)) <= 0 ? 1 : 0));
    }
    more.add(count() + 1);
    return new LatencyHistogram(more, total.plus(took));
  }
}
