package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import java.util.HashMap;
import java.util.Map;

/** Knows at once what a test says. Confined to its thread. */
final class FakeClaims implements ResourceClaims {
  private final Map<ClaimName, ClaimAllocation> all = new HashMap<>();
  private Map<ClaimName, ClaimUse> followed = Map.of();

  /** What a claim of the namespace {@code ml} was given. */
  void know(String claim, ClaimAllocation allocation) {
    all.put(new ClaimName("ml", claim), allocation);
  }

  /** Which claims are used. */
  Map<ClaimName, ClaimUse> followed() {
    return followed;
  }

  /** As an agent that does not ask for claims, until there are some. */
  @Override
  public KnownClaims now() {
    return followed.isEmpty() ? NOTHING : new KnownClaims(new WatchState.Synced(), all);
  }

  @Override
  public void follow(Map<ClaimName, ClaimUse> claims) {
    followed = claims;
  }
}
