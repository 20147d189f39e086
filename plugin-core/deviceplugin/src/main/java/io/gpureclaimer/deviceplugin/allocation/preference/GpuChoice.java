package io.gpureclaimer.deviceplugin.allocation.preference;

import java.util.BitSet;

/**
 * Chooses the GPUs with the best links; among equal choices, the one that keeps the best links for
 * the rest.
 */
final class GpuChoice implements Choice {
  /** This many choices are compared in well under a millisecond; 16 GPUs have at most 12 870. */
  private static final long MOST_CHOICES = 20_000;

  private final AffinityMatrix wiring;

  GpuChoice(AffinityMatrix wiring) {
    this.wiring = wiring;
  }

  @Override
  public BitSet of(BitSet free, BitSet required, int size) {
    long may = mask(free);
    long must = mask(required);
    var merit = new ChoiceScorer(wiring, may);
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

  /** Compares every choice. Confined to one request. */
  static final class ExactSearch {
    private final ChoiceScorer merit;
    private long best;
    private ChoiceScore worth = ChoiceScore.NONE;

    ExactSearch(ChoiceScorer merit) {
      this.merit = merit;
    }

    /** The best so many of these, with those that are required. */
    long best(long required, long free, int open) {
      ChoiceScore start = ChoiceScore.of(merit, required);
      extend(required, free, open, start.joined(), start.ties());
      return best;
    }

    /** Goes through the choices in the order of their positions, so the first of equals is kept. */
    private void extend(long chosen, long free, int open, int joined, int ties) {
      if (open == 0) {
        if (!worth.beats(joined, merit, chosen, ties)) {
          worth = new ChoiceScore(joined, merit.broken(chosen), ties);
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

  /** Starts at each GPU in turn and adds the one that is joined best. Confined to one question. */
  static final class GreedySearch {
    private final ChoiceScorer merit;

    GreedySearch(ChoiceScorer merit) {
      this.merit = merit;
    }

    /** A good choice of so many of these, with those that are required. */
    long best(long required, long free, int open) {
      if (required != 0) {
        return grown(required, free, open);
      }
      long best = 0;
      ChoiceScore worth = ChoiceScore.NONE;
      for (long rest = free; rest != 0; rest &= rest - 1) {
        long seed = Long.lowestOneBit(rest);
        long grown = grown(seed, free & ~seed, open - 1);
        ChoiceScore reached = ChoiceScore.of(merit, grown);
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
      ChoiceScore worth = ChoiceScore.NONE;
      for (long rest = left; rest != 0; rest &= rest - 1) {
        int gpu = Long.numberOfTrailingZeros(rest);
        long with = chosen | AffinityMatrix.bit(gpu);
        int gain = merit.gain(gpu, chosen);
        if (!worth.beats(gain, merit, with, merit.ties(gpu))) {
          worth = new ChoiceScore(gain, merit.broken(with), merit.ties(gpu));
          best = AffinityMatrix.bit(gpu);
        }
      }
      return best;
    }
  }
}
