package io.gpureclaimer.exporter.exposition.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Cache of one pass for the next, so that unchanged lines are rendered once. Passes resemble each
 * other: a thing is known by its place, and made again only if another stands there; what a pass
 * did not come to is forgotten. Confined to the thread that renders.
 *
 * @param <K> whatever it is made from
 * @param <V> what is made
 */
final class PassCache<K, V> {
  private final Function<K, V> maker;
  private final List<K> keys = new ArrayList<>();
  private final List<V> made = new ArrayList<>();
  private int place;

  PassCache(Function<K, V> maker) {
    this.maker = maker;
  }

  void beginPass() {
    keys.subList(place, keys.size()).clear();
    made.subList(place, made.size()).clear();
    place = 0;
  }

  /** What is made from the next key of this pass. */
  V next(K key) {
    int here = place++;
    if (here == keys.size()) {
      keys.add(key);
      made.add(maker.apply(key));
    } else if (!key.equals(keys.get(here))) {
      keys.set(here, key);
      made.set(here, maker.apply(key));
    }
    return made.get(here);
  }
}
