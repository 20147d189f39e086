package io.gpureclaimer.exporter.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class LabelBlocksTest {
  private final ArrayList<String> encoded = new ArrayList<>();
  private final LabelBlocks<String> blocks =
      new LabelBlocks<>(
          key -> {
            encoded.add(key);
            return new LabelBlock().with("key", key);
          });

  @Test
  void encodesOnce_whenUsedInEveryPass() {
    for (int pass = 0; pass < 5; pass++) {
      blocks.beginPass();
      blocks.of("a");
      blocks.of("a");
    }
    assertThat(encoded).containsExactly("a");
  }

  @Test
  void forgetsWhatAPassDidNotUse() {
    blocks.beginPass();
    blocks.of("a");
    blocks.beginPass();
    blocks.beginPass();
    blocks.of("a");

    assertThat(encoded).containsExactly("a", "a");
  }
}
