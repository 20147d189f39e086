package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever happens, nobody who works is evicted, nobody unwarned, nobody twice. */
@Tag("slow")
class RandomRunTest {
  private static final int SEEDS = 60;
  private static final int CYCLES = 300;

  @Test
  void everyEvictionIsRight() {
    var total = new Chaos.Tally();
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        total.add(new Chaos(seed).live(CYCLES));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with seed " + seed + ": " + e.getMessage(), e);
      }
    }
    // It is no proof of anything unless all of it happened often.
    assertThat(total.evictedAlways()).isGreaterThan(100);
    assertThat(total.evictedOnDemand()).isGreaterThan(100);
    assertThat(total.refused()).isGreaterThan(150);
    assertThat(total.withdrawn()).isGreaterThan(500);
    assertThat(total.abandoned()).isGreaterThan(500);
  }
}
