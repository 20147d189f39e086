package io.gpureclaimer.deviceplugin.allocation.preference;

/**
 * Score of a choice, by decreasing weight.
 *
 * @param joined how well the chosen are joined with each other; the more the better
 * @param broken the whole groups that are broken into; the fewer the better
 * @param ties how well they are joined with all that are free; the less the better
 */
record ChoiceScore(int joined, long broken, int ties) {
  /** Less than any choice. */
  static final ChoiceScore NONE = new ChoiceScore(-1, 0, 0);

  static ChoiceScore of(ChoiceScorer merit, long chosen) {
    int joined = 0;
    int ties = 0;
    long before = 0;
    for (long rest = chosen; rest != 0; rest &= rest - 1) {
      int gpu = Long.numberOfTrailingZeros(rest);
      joined += merit.gain(gpu, before);
      ties += merit.ties(gpu);
      before |= AffinityMatrix.bit(gpu);
    }
    return new ChoiceScore(joined, merit.broken(chosen), ties);
  }

  /** Whether it is at least as good as that choice, which is compared only as far as needed. */
  boolean beats(int otherJoined, ChoiceScorer merit, long other, int otherTies) {
    if (joined != otherJoined) {
      return joined > otherJoined;
    }
    long otherBroken = merit.broken(other);
    return broken != otherBroken ? broken < otherBroken : ties <= otherTies;
  }
}
