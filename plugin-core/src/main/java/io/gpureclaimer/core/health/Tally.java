package io.gpureclaimer.core.health;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Counts things by a key, over the whole time and over a window. What is in the window is kept by
 * the second, so that ten thousand things in one second take no more room than two. Confined to one
 * thread, or guarded by who holds it.
 */
public final class Tally<K> {
  private final Duration window;
  private final Map<K, Long> totals = new HashMap<>();
  private final NavigableMap<Long, Map<K, Long>> bySecond = new TreeMap<>();

  /**
   * @param window how far back the recent ones reach, to the second
   */
  public Tally(Duration window) {
    this.window = window;
  }

  /** One more. */
  public void add(K key, Instant at) {
    totals.merge(key, 1L, Long::sum);
    bySecond.computeIfAbsent(at.getEpochSecond(), _ -> new HashMap<>()).merge(key, 1L, Long::sum);
    forgetBefore(at);
  }

  /** All since the start. */
  public Map<K, Long> totals() {
    return Map.copyOf(totals);
  }

  /** Those in the window that ends now; a clock that was set back does not lose any. */
  public Map<K, Long> recent(Instant now) {
    forgetBefore(now);
    Map<K, Long> recent = new HashMap<>();
    bySecond
        .values()
        .forEach(counts -> counts.forEach((key, n) -> recent.merge(key, n, Long::sum)));
    return Map.copyOf(recent);
  }

  private void forgetBefore(Instant now) {
    bySecond.headMap(now.minus(window).getEpochSecond(), true).clear();
  }
}
