package io.gpureclaimer.deviceplugin.allocation.preference;

import java.util.BitSet;

/**
 * Takes the GPUs that are joined best; of those that are joined equally well, the ones whose loss
 * hurts the remaining ones least.
 */
final class GpuChoice implements Choice {
  /** So many choices are looked at in well under a millisecond; 16 GPUs have at most 12 870. */
  private static final long MOST_CHOICES = 20_000;

  private final AffinityMatrix wiring;

  GpuChoice(AffinityMatrix wiring) {
    this.wiring = wiring;
  }

  @Override
  public BitSet of(BitSet free, BitSet required, int size) {
    long may = mask(free);
    long must = mask(required);
    var merit = new Merit(wiring, may);
    int open = size - Long.bitCount(must);
    long chosen =
        choices(Long.bitCount(may & ~must), open) <= MOST_CHOICES
            ? new ExactSearch(merit).best(must, may & ~must, open)
            : new GreedySearch(merit).best(must, may & ~must, open);
    return BitSet.valueOf(new long[] {chosen});
  }

  private static long mask(BitSet positions) {
    return positions.isEmpty() ? 0 : positions.toLongArray()[0];
  }

  /** Binomial; stops counting where there are too many. */
  private static long choices(int among, int open) {
    int few = Math.min(open, among - open);
    long choices = 1;
    for (int i = 1; i <= few && choices <= MOST_CHOICES; i++) {
      choices = choices * (among - few + i) / i;
    }
    return choices;
  }
}
