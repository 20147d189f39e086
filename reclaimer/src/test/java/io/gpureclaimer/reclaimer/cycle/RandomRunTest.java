package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * In random runs no active pod is evicted, none without a warning, none twice, also while history
 * is wrong.
 */
@Tag("slow")
class RandomRunTest {
  private static final int SEEDS = 60;
  private static final int CYCLES = 300;

  @Test
  void everyEvictionIsRight() {
    var total = new EventTally();
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        total.add(new RandomClusterRun(seed).live(CYCLES));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with seed " + seed + ": " + e.getMessage(), e);
      }
    }
    // It is no proof of anything unless all of it happened often.
    Map.of(
            "evicted always", 100L,
            "evicted on demand", 100L,
            "refused", 150L,
            "withdrawn", 500L,
            "abandoned", 500L,
            "wrong pasts", 100L)
        .forEach(
            (what, least) ->
                assertThat(total.counts().getOrDefault(what, 0L)).as(what).isGreaterThan(least));
  }
}
