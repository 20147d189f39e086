package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.gpureclaimer.reclaimer.cluster.kubernetes.reading.AcceleratorNames;
import java.time.Duration;
import java.util.Set;

/**
 * What is looked for, and for how long it is believed.
 *
 * @param staleAfter how long a watch may be broken before its view is refused
 * @param names what counts as a GPU
 * @param untouchableNamespaces whose pods no policy may touch, besides the system's
 */
public record WatchTerms(
    Duration staleAfter, AcceleratorNames names, Set<String> untouchableNamespaces) {
  public WatchTerms {
    untouchableNamespaces = Set.copyOf(untouchableNamespaces);
    if (!staleAfter.isPositive()) {
      throw new IllegalArgumentException("staleAfter must be positive, was " + staleAfter);
    }
  }

  /** The usual name of GPUs, and nobody's namespace but the system's. */
  public static WatchTerms usual(Duration staleAfter) {
    return new WatchTerms(staleAfter, AcceleratorNames.USUAL, Set.of());
  }
}
