package io.gpureclaimer.core.labels;

import io.gpureclaimer.core.allocation.MigStrategy;
import io.gpureclaimer.core.allocation.OfferSettings;
import io.gpureclaimer.core.allocation.SharedResource;
import io.gpureclaimer.core.allocation.Sharing;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the labels have to know of the plugin's settings.
 *
 * @param migStrategy how MIG devices are offered
 * @param byResource how each resource is shared, by the name that it has without sharing, such as
 *     {@code nvidia.com/gpu}; one that is not in it is not shared
 */
public record SharingFacts(MigStrategy migStrategy, Map<String, ResourceSharing> byResource) {
  /** Whole GPUs, each once. */
  public static final SharingFacts NONE = new SharingFacts(MigStrategy.NONE, Map.of());

  public SharingFacts {
    byResource = Map.copyOf(byResource);
  }

  /** What these settings come to. */
  public static SharingFacts of(OfferSettings offer) {
    Sharing.Kind kind = offer.sharing().kind();
    Map<String, List<SharedResource>> byName =
        offer.sharing().resources().stream()
            .collect(Collectors.groupingBy(resource -> resource.name().value()));
    return new SharingFacts(
        offer.mig(),
        byName.entrySet().stream()
            .collect(
                Collectors.toMap(Map.Entry::getKey, entry -> together(kind, entry.getValue()))));
  }

  private static ResourceSharing together(Sharing.Kind kind, List<SharedResource> resources) {
    boolean alike = resources.stream().map(SharedResource::replicas).distinct().count() == 1;
    return new ResourceSharing(
        kind,
        alike ? resources.getFirst().replicas() : null,
        resources.stream().noneMatch(one -> one.offeredAs().equals(one.name())));
  }

  ResourceSharing of(String resource) {
    return byResource.getOrDefault(resource, ResourceSharing.NOT_SHARED);
  }

  boolean usesMps() {
    return byResource.values().stream().anyMatch(sharing -> sharing.kind() == Sharing.Kind.MPS);
  }
}
