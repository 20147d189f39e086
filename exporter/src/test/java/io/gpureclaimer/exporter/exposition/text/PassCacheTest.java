package io.gpureclaimer.exporter.exposition.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PassCacheTest {
  private final ArrayList<String> encoded = new ArrayList<>();
  private final PassCache<String, byte[]> blocks =
      new PassCache<>(
          key -> {
            encoded.add(key);
            return new LabelBlock().with("key", key).encoded();
          });

  @Test
  void encodesOnce_whenEveryPassHasItInTheSamePlace() {
    for (int pass = 0; pass < 5; pass++) {
      blocks.beginPass();
      assertThat(next("a")).isEqualTo("{key=\"a\"} ");
      assertThat(next("b")).isEqualTo("{key=\"b\"} ");
    }
    assertThat(encoded).containsExactly("a", "b");
  }

  @Test
  void encodesWhatIsAskedFor_whenOneHasGoneOrCome() {
    for (var keys : List.of(List.of("a", "b", "c"), List.of("a", "c"), List.of("x", "a", "b"))) {
      blocks.beginPass();
      for (String key : keys) {
        assertThat(next(key)).isEqualTo("{key=\"" + key + "\"} ");
      }
    }
  }

  @Test
  void forgetsWhatAPassDidNotUse() {
    blocks.beginPass();
    next("a");
    blocks.beginPass();
    blocks.beginPass();
    next("a");

    assertThat(encoded).containsExactly("a", "a");
  }

  private String next(String key) {
    return new String(blocks.next(key), UTF_8);
  }
}
