package io.gpureclaimer.reclaimer.cluster;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map in parts, by the hashes of its keys. A map with one other value shares all parts
 * but one with the former, so that a view of a large cluster costs little after a small change.
 */
public final class SharedMap<K, V> extends AbstractMap<K, V> {
  private static final int PARTS = 256;

  private final List<Map<K, V>> parts;
  private final int size;

  private SharedMap(List<Map<K, V>> parts, int size) {
    this.parts = parts;
    this.size = size;
  }

  /** A map with nothing in it. */
  public static <K, V> SharedMap<K, V> empty() {
    return new SharedMap<>(Collections.nCopies(PARTS, Map.of()), 0);
  }

  /** The same entries; the map itself, if it is one of these. */
  public static <K, V> SharedMap<K, V> copyOf(Map<K, V> map) {
    if (map instanceof SharedMap<K, V> shared) {
      return shared;
    }
    List<Map<K, V>> parts = new ArrayList<>(PARTS);
    for (int i = 0; i < PARTS; i++) {
      parts.add(new HashMap<>());
    }
    map.forEach((key, value) -> parts.get(partOf(key)).put(key, value));
    return new SharedMap<>(parts, map.size());
  }

  /** The same with this entry. */
  public SharedMap<K, V> with(K key, V value) {
    Map<K, V> part = new HashMap<>(parts.get(partOf(key)));
    return part.put(key, value) == null ? with(key, part, size + 1) : with(key, part, size);
  }

  /** The same without an entry of this key. */
  public SharedMap<K, V> without(K key) {
    Map<K, V> part = new HashMap<>(parts.get(partOf(key)));
    return part.remove(key) == null ? this : with(key, part, size - 1);
  }

  private SharedMap<K, V> with(K key, Map<K, V> part, int count) {
    List<Map<K, V>> others = new ArrayList<>(parts);
    others.set(partOf(key), part);
    return new SharedMap<>(others, count);
  }

  private static int partOf(Object key) {
    // Not the lowest bits, by which a HashMap finds the key within its part.
    return key.hashCode() >>> 8 & (PARTS - 1);
  }

  @Override
  public @Nullable V get(Object key) {
    return parts.get(partOf(key)).get(key);
  }

  @Override
  public V getOrDefault(Object key, V absent) {
    return parts.get(partOf(key)).getOrDefault(key, absent);
  }

  @Override
  public boolean containsKey(Object key) {
    return parts.get(partOf(key)).containsKey(key);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Entry<K, V>> iterator() {
        return parts.stream()
            .flatMap(part -> Collections.unmodifiableMap(part).entrySet().stream())
            .iterator();
      }

      @Override
      public int size() {
        return size;
      }
    };
  }
}
