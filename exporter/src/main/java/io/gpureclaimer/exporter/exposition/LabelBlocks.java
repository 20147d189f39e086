package io.gpureclaimer.exporter.exposition;

import java.util.function.Function;

/**
 * Encoded label blocks, each kept for as long as every pass uses it. Confined to the thread that
 * renders.
 *
 * @param <K> whatever the labels are made from
 */
final class LabelBlocks<K> {
  private final Kept<K, byte[]> encoded;

  LabelBlocks(Function<K, LabelBlock> encoder) {
    encoded = new Kept<>(key -> encoder.apply(key).encoded());
  }

  void beginPass() {
    encoded.beginPass();
  }

  byte[] of(K key) {
    return encoded.of(key);
  }
}
