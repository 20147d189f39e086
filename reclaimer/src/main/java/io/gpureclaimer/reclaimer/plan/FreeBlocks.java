package io.gpureclaimer.reclaimer.plan;

import java.util.Set;
import java.util.TreeSet;

/**
 * Blocks of a floor whose devices are free.
 *
 * @param count those where a usual pod could start
 * @param stranded others: their nodes have less left of other resources than a usual pod requests
 * @param scarce names of these resources
 */
public record FreeBlocks(int count, int stranded, Set<String> scarce) {
  static final FreeBlocks NONE = new FreeBlocks(0, 0, Set.of());

  public FreeBlocks {
    scarce = Set.copyOf(scarce);
  }

  FreeBlocks and(FreeBlocks other) {
    if (other.stranded == 0) {
      return other.count == 0 ? this : new FreeBlocks(count + other.count, stranded, scarce);
    }
    Set<String> both = new TreeSet<>(scarce);
    both.addAll(other.scarce);
    return new FreeBlocks(count + other.count, stranded + other.stranded, both);
  }

  /** Why some do not count, after the number of those that do; empty if all count. */
  String stranded(UsualPod usual) {
    return stranded == 0
        ? ""
        : "; "
            + stranded
            + " not counted, where less is left than a usual pod requests ("
            + usual.text(scarce)
            + ")";
  }
}
