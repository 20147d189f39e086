package io.gpureclaimer.deviceplugin.health;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Counts things by a key, over the whole time and over a window. What is in the window is kept in
 * parts of it: the room depends neither on the number of things in a second nor on the length of
 * the window. Confined to one thread, or guarded by who holds it.
 */
public final class IssueCounts<K> {
  private static final int PARTS = 300;

  private final Duration window;
  private final long secondsOfPart;
  private final Map<K, Long> totals = new HashMap<>();
  private final NavigableMap<Long, Map<K, Long>> byPart = new TreeMap<>();

  /**
   * @param window how far back the recent ones reach: to the second up to five minutes, to a
   *     three-hundredth beyond
   */
  public IssueCounts(Duration window) {
    this.window = window;
    this.secondsOfPart = Math.max(1, window.toSeconds() / PARTS);
  }

  /** One more. */
  public void add(K key, Instant at) {
    totals.merge(key, 1L, Long::sum);
    byPart
        .computeIfAbsent(partOf(at.getEpochSecond()), _ -> new HashMap<>())
        .merge(key, 1L, Long::sum);
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
    byPart.values().forEach(counts -> counts.forEach((key, n) -> recent.merge(key, n, Long::sum)));
    return Map.copyOf(recent);
  }

  /** How many parts of the window there is something in. */
  int parts() {
    return byPart.size();
  }

  /** Only parts that have passed wholly. */
  private void forgetBefore(Instant now) {
    byPart.headMap(partOf(now.minus(window).getEpochSecond() + 1), false).clear();
  }

  private long partOf(long second) {
    return Math.floorDiv(second, secondsOfPart);
  }
}
