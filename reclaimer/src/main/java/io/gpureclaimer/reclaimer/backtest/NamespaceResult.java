package io.gpureclaimer.reclaimer.backtest;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What it comes to in one namespace.
 *
 * @param name the namespace
 * @param mode under which it was played; absent where the cluster does not know the namespace
 * @param account what its GPUs did
 * @param reclaims what would have been taken from it
 */
public record NamespaceResult(
    String name, Optional<ModeOverride.Played> mode, GpuTime account, List<Reclaim> reclaims) {
  public NamespaceResult {
    reclaims = List.copyOf(reclaims);
  }

  /** The time of GPUs that would have been given back. */
  public Duration givenBack() {
    return reclaims.stream().map(Reclaim::givenBack).reduce(Duration.ZERO, Duration::plus);
  }

  /** How many would have been missed within that time. */
  public long backWithin(Duration limit) {
    return reclaims.stream().filter(reclaim -> reclaim.isBackWithin(limit)).count();
  }

  /** Of how many nobody knows whether they would have been missed. */
  public long unwatched() {
    return reclaims.stream()
        .filter(reclaim -> reclaim.afterwards() instanceof EvictionOutcome.Unwatched)
        .count();
  }
}
