package io.gpureclaimer.reclaimer.activity;

import java.util.List;
import java.util.Map;

/**
 * What a source knows of pods whose UID it does not know.
 *
 * @param pods who holds which GPU
 * @param signals what else was measured of pods, whoever they are
 */
public record ByName(Map<PodName, PodActivity> pods, Map<PodName, List<Signal>> signals) {
  private static final ByName NOTHING = new ByName(Map.of(), Map.of());

  public ByName {
    pods = Map.copyOf(pods);
    signals = Map.copyOf(signals);
  }

  /** Nothing is known by name. */
  public static ByName nothing() {
    return NOTHING;
  }
}
