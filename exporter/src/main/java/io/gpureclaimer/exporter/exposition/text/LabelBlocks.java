package io.gpureclaimer.exporter.exposition.text;

import java.util.function.Function;

/**
 * Encoded label blocks, each kept for as long as every pass has it in the same place. Confined to
 * the thread that renders.
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

  /** The block of the next line that has one of its own. */
  byte[] next(K key) {
    return encoded.next(key);
  }
}
