package io.gpureclaimer.deviceplugin.allocation.preference;

import java.util.BitSet;

/**
 * Takes MIG devices of GPUs that are in use already, those first that have the fewest left, and
 * divides as few further GPUs as it can.
 */
final class PackedChoice implements Choice {
  private final DeviceGroups parents;

  PackedChoice(DeviceGroups parents) {
    this.parents = parents;
  }

  @Override
  public BitSet of(BitSet free, BitSet required, int size) {
    var left = (BitSet) free.clone();
    left.andNot(required);
    int[] leftOf = parents.count(left);
    int[] takenOf = parents.sizes();
    int[] freeOf = parents.count(left);
    for (int parent = 0; parent < takenOf.length; parent++) {
      takenOf[parent] -= freeOf[parent];
    }
    int[] quota = quota(leftOf, takenOf, size - required.cardinality());
    return chosen(left, required, quota);
  }

  /** How many of each parent. */
  private static int[] quota(int[] leftOf, int[] takenOf, int needed) {
    int[] quota = new int[leftOf.length];
    int open = needed;
    while (open > 0) {
      int parent = best(leftOf, takenOf, open);
      int taken = Math.min(open, leftOf[parent]);
      quota[parent] += taken;
      leftOf[parent] -= taken;
      takenOf[parent] += taken;
      open -= taken;
    }
    return quota;
  }

  private static int best(int[] leftOf, int[] takenOf, int open) {
    int best = -1;
    for (int parent = 0; parent < leftOf.length; parent++) {
      if (leftOf[parent] > 0
          && (best < 0
              || rank(leftOf, takenOf, open, parent) < rank(leftOf, takenOf, open, best))) {
        best = parent;
      }
    }
    return best;
  }

  /** Of untouched ones the smallest that suffices, or else the largest. */
  private static long rank(int[] leftOf, int[] takenOf, int open, int parent) {
    int left = leftOf[parent];
    long most = Integer.MAX_VALUE;
    if (takenOf[parent] > 0) {
      return left;
    }
    return left >= open ? most + left : 3 * most - left;
  }

  private BitSet chosen(BitSet left, BitSet required, int[] quota) {
    var chosen = (BitSet) required.clone();
    left.stream().filter(position -> quota[parents.groupOf(position)]-- > 0).forEach(chosen::set);
    return chosen;
  }
}
