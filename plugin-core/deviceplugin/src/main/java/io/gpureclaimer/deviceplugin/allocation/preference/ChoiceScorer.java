package io.gpureclaimer.deviceplugin.allocation.preference;

import java.util.List;

/** Scores a choice among free GPUs by its links and by the links of the remaining GPUs. */
final class ChoiceScorer {
  /** More GPUs than a node has: a place in a number for the groups of each level. */
  private static final int PLACE = 128;

  private final AffinityMatrix wiring;
  private final List<long[]> whole;
  private final int[] ties;

  ChoiceScorer(AffinityMatrix wiring, long free) {
    this.wiring = wiring;
    this.whole = wiring.wholeIn(free);
    this.ties = new int[wiring.count()];
    for (int i = 0; i < ties.length; i++) {
      ties[i] = wiring.joined(i, free);
    }
  }

  /** How much a GPU adds to how well these are joined. */
  int gain(int gpu, long chosen) {
    return wiring.joined(gpu, chosen);
  }

  /**
   * How well a GPU is joined with all that are free. What is cut between the chosen and the
   * remaining ones is the sum of these less twice what joins the chosen.
   */
  int ties(int gpu) {
    return ties[gpu];
  }

  /** How many whole groups a choice breaks into; those of the first level count most. */
  long broken(long chosen) {
    long broken = 0;
    for (long[] groups : whole) {
      int hit = 0;
      for (long group : groups) {
        if ((group & chosen) != 0) {
          hit++;
        }
      }
      broken = broken * PLACE + hit;
    }
    return broken;
  }
}
