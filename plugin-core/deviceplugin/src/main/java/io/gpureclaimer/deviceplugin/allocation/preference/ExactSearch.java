package io.gpureclaimer.deviceplugin.allocation.preference;

/** Looks at every choice. Confined to one question. */
final class ExactSearch {
  private final Merit merit;
  private long best;
  private Worth worth = Worth.NONE;

  ExactSearch(Merit merit) {
    this.merit = merit;
  }

  /** The best so many of these, with those that are required. */
  long best(long required, long free, int open) {
    Worth start = Worth.of(merit, required);
    extend(required, free, open, start.joined(), start.ties());
    return best;
  }

  /** Goes through the choices in the order of their positions, so the first of equals is kept. */
  private void extend(long chosen, long free, int open, int joined, int ties) {
    if (open == 0) {
      if (!worth.beats(joined, merit, chosen, ties)) {
        worth = new Worth(joined, merit.broken(chosen), ties);
        best = chosen;
      }
      return;
    }
    for (long rest = free; Long.bitCount(rest) >= open; rest &= rest - 1) {
      int gpu = Long.numberOfTrailingZeros(rest);
      extend(
          chosen | AffinityMatrix.bit(gpu),
          rest & rest - 1,
          open - 1,
          joined + merit.gain(gpu, chosen),
          ties + merit.ties(gpu));
    }
  }
}
