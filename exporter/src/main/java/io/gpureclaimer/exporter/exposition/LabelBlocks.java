package io.gpureclaimer.exporter.exposition;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Label blocks of the last pass, so that each is encoded once and not once per pass; those that a
 * pass did not use are forgotten. Confined to the thread that renders.
 *
 * @param <K> whatever the labels are made from
 */
final class LabelBlocks<K> {
  private final Function<K, LabelBlock> encoder;
  private Map<K, byte[]> previous = new HashMap<>();
  private Map<K, byte[]> current = new HashMap<>();

  LabelBlocks(Function<K, LabelBlock> encoder) {
    this.encoder = encoder;
  }

  void beginPass() {
    var reused = previous;
    reused.clear();
    previous = current;
    current = reused;
  }

  byte[] of(K key) {
    return current.computeIfAbsent(
        key,
        absent -> {
          byte[] known = previous.get(absent);
          return known != null ? known : encoder.apply(absent).encoded();
        });
  }
}
