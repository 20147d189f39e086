package io.gpureclaimer.deviceplugin.allocation.preference;

import java.util.BitSet;

/** A way to choose, by positions in the list of what is offered. */
interface Choice {

  /**
   * Which fit best.
   *
   * @param free what may be chosen
   * @param required a part of it, which is chosen in any case
   * @param size how many in all: at least the required ones, at most the free ones
   * @return so many
   */
  BitSet of(BitSet free, BitSet required, int size);
}
