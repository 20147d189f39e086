package io.gpureclaimer.deviceplugin.allocation.preference;

/** Starts at each GPU in turn and adds the one that is joined best. Confined to one question. */
final class GreedySearch {
  private final Merit merit;

  GreedySearch(Merit merit) {
    this.merit = merit;
  }

  /** A good choice of so many of these, with those that are required. */
  long best(long required, long free, int open) {
    if (required != 0) {
      return grown(required, free, open);
    }
    long best = 0;
    Worth worth = Worth.NONE;
    for (long rest = free; rest != 0; rest &= rest - 1) {
      long seed = Long.lowestOneBit(rest);
      long grown = grown(seed, free & ~seed, open - 1);
      Worth reached = Worth.of(merit, grown);
      if (!worth.beats(reached.joined(), merit, grown, reached.ties())) {
        worth = reached;
        best = grown;
      }
    }
    return best;
  }

  private long grown(long seed, long free, int open) {
    long chosen = seed;
    long left = free;
    for (int i = 0; i < open; i++) {
      long next = next(chosen, left);
      chosen |= next;
      left &= ~next;
    }
    return chosen;
  }

  private long next(long chosen, long left) {
    long best = 0;
    Worth worth = Worth.NONE;
    for (long rest = left; rest != 0; rest &= rest - 1) {
      int gpu = Long.numberOfTrailingZeros(rest);
      long with = chosen | AffinityMatrix.bit(gpu);
      int gain = merit.gain(gpu, chosen);
      if (!worth.beats(gain, merit, with, merit.ties(gpu))) {
        worth = new Worth(gain, merit.broken(with), merit.ties(gpu));
        best = AffinityMatrix.bit(gpu);
      }
    }
    return best;
  }
}
