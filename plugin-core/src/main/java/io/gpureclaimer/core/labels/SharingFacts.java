package io.gpureclaimer.core.labels;

import java.util.Map;

/**
 * What the labels have to know of the plugin's settings.
 *
 * @param migStrategy how MIG devices are offered
 * @param byResource how each resource is shared, by the name that it has without sharing, such as
 *     {@code nvidia.com/gpu}; one that is not in it is not shared
 */
public record SharingFacts(MigStrategy migStrategy, Map<String, Sharing> byResource) {
  /** Whole GPUs, each once. */
  public static final SharingFacts NONE = new SharingFacts(MigStrategy.NONE, Map.of());

  public SharingFacts {
    byResource = Map.copyOf(byResource);
  }

  Sharing of(String resource) {
    return byResource.getOrDefault(resource, Sharing.NOT_SHARED);
  }

  boolean usesMps() {
    return byResource.values().stream()
        .anyMatch(sharing -> sharing.strategy() == Sharing.Strategy.MPS);
  }
}
