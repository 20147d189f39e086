package io.gpureclaimer.common.time;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Values that are loaded once and kept for a time, at most so many. Safe for several threads, which
 * may load the same value at once.
 */
public final class ExpiringCache<K, V> {
  private final Map<K, CacheEntry<V>> entries = new ConcurrentHashMap<>();
  private final Duration keptFor;
  private final int most;
  private final MonotonicClock clock;

  private record CacheEntry<V>(V value, long loadedAt) {}

  /**
   * @param most values that are kept
   */
  public ExpiringCache(Duration keptFor, int most, MonotonicClock clock) {
    this.keptFor = keptFor;
    this.most = most;
    this.clock = clock;
  }

  /** The value of a key, loaded if it is not kept. */
  public V get(K key, Function<K, V> load) {
    CacheEntry<V> entry = entries.get(key);
    if (entry != null && !isExpired(entry)) {
      return entry.value();
    }
    long now = clock.nanos();
    V value = load.apply(key);
    makeRoom();
    entries.put(key, new CacheEntry<>(value, now));
    return value;
  }

  /** How many values are kept. */
  public int size() {
    return entries.size();
  }

  /** When nothing has expired, everything is dropped: a flood of keys must not fill the memory. */
  private void makeRoom() {
    if (entries.size() >= most) {
      entries.values().removeIf(this::isExpired);
    }
    if (entries.size() >= most) {
      entries.clear();
    }
  }

  private boolean isExpired(CacheEntry<V> entry) {
    return clock.nanos() - entry.loadedAt() >= keptFor.toNanos();
  }
}
