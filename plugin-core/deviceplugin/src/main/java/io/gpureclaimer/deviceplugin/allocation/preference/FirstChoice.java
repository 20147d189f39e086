package io.gpureclaimer.deviceplugin.allocation.preference;

import java.util.BitSet;

/** Takes the first there are: for more GPUs than any node has. */
final class FirstChoice implements Choice {
  @Override
  public BitSet of(BitSet free, BitSet required, int size) {
    var chosen = (BitSet) required.clone();
    for (int i = free.nextSetBit(0); chosen.cardinality() < size; i = free.nextSetBit(i + 1)) {
      chosen.set(i);
    }
    return chosen;
  }
}
