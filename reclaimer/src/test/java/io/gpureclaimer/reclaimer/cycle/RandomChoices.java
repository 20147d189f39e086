package io.gpureclaimer.reclaimer.cycle;

import java.util.List;
import java.util.Random;

/** Random choices, the same ones for the same seed. Confined to one run. */
final class RandomChoices {
  private final Random random;

  RandomChoices(long seed) {
    this.random = new Random(seed);
  }

  boolean chance(int percent) {
    return below(100) < percent;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> T any(List<T> list) {
    return list.get(below(list.size()));
  }
}
