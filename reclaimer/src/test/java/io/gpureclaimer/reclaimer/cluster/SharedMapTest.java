package io.gpureclaimer.reclaimer.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedMapTest {
  private static final int CHANGES = 5_000;
  private static final int KEYS = 1_000;

  @Test
  void holdsWhatAMapHolds_afterEachChange() {
    var random = new Random(1);
    Map<String, Integer> expected = new HashMap<>();
    SharedMap<String, Integer> map = SharedMap.empty();
    for (int i = 0; i < CHANGES; i++) {
      String key = "key-" + random.nextInt(KEYS);
      SharedMap<String, Integer> before = map;
      Map<String, Integer> entriesBefore = i % 100 == 0 ? new HashMap<>(map) : Map.of();
      if (random.nextBoolean()) {
        map = map.with(key, i);
        expected.put(key, i);
      } else {
        map = map.without(key);
        expected.remove(key);
      }
      assertThat(map.get(key)).isEqualTo(expected.get(key));
      assertThat(map.containsKey(key)).isEqualTo(expected.containsKey(key));
      assertThat(map).hasSameSizeAs(expected);
      if (i % 100 == 0) {
        assertThat(map).isEqualTo(expected);
        assertThat(before).isEqualTo(entriesBefore);
      }
    }
    assertThat(expected).hasSizeGreaterThan(100);
  }

  @Test
  void isCopiedOnce() {
    Map<String, Integer> source = new HashMap<>(Map.of("a", 1, "b", 2));
    SharedMap<String, Integer> copy = SharedMap.copyOf(source);
    source.clear();

    assertThat(copy).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(SharedMap.copyOf(copy)).isSameAs(copy);
  }

  @Test
  void cannotBeChanged() {
    SharedMap<String, Integer> map = SharedMap.copyOf(Map.of("a", 1));

    assertThatThrownBy(() -> map.put("b", 2)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.remove("a")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.entrySet().iterator().next().setValue(3))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
