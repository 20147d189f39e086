package io.gpureclaimer.exporter.exposition;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What was made in the last pass, so that each thing is made once and not once per pass; what a
 * pass did not use is forgotten. Confined to the thread that renders.
 *
 * @param <K> whatever it is made from
 * @param <V> what is made
 */
final class Kept<K, V> {
  private final Function<K, V> maker;
  private Map<K, V> previous = new HashMap<>();
  private Map<K, V> current = new HashMap<>();

  Kept(Function<K, V> maker) {
    this.maker = maker;
  }

  void beginPass() {
    var reused = previous;
    reused.clear();
    previous = current;
    current = reused;
  }

  V of(K key) {
    return current.computeIfAbsent(
        key,
        absent -> {
          V known = previous.get(absent);
          return known != null ? known : maker.apply(absent);
        });
  }
}
