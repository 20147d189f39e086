package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Sharing of the advertised resources, for labels.
 *
 * @param migStrategy how MIG devices are offered
 * @param byDevice how each device that is offered is shared, by its UUID
 */
public record SharingFacts(MigStrategy migStrategy, Map<String, ResourceSharing> byDevice) {
  public SharingFacts {
    byDevice = Map.copyOf(byDevice);
  }

  /** What this offer comes to. */
  public static SharingFacts of(MigStrategy migStrategy, AdvertisedResources offer) {
    var byDevice = new HashMap<String, ResourceSharing>();
    offer
        .resources()
        .forEach(
            (name, resource) ->
                resource
                    .portions()
                    .forEach(
                        portion ->
                            byDevice.put(
                                portion.device().uuid(),
                                new ResourceSharing(
                                    portion.sharing(),
                                    portion.replicas(),
                                    !portion.origin().equals(name)))));
    return new SharingFacts(migStrategy, byDevice);
  }

  boolean offers(String device) {
    return byDevice.containsKey(device);
  }

  /** How the devices that one label describes are shared; those count that are offered. */
  ResourceSharing of(Stream<String> devices) {
    List<ResourceSharing> all =
        devices.flatMap(device -> Optional.ofNullable(byDevice.get(device)).stream()).toList();
    List<ResourceSharing> shared = all.stream().filter(ResourceSharing::isShared).toList();
    if (shared.isEmpty()) {
      return ResourceSharing.NOT_SHARED;
    }
    boolean alike = all.stream().map(ResourceSharing::replicas).distinct().count() == 1;
    ResourceSharing first = shared.getFirst();
    return new ResourceSharing(
        first.kind(),
        alike ? first.replicas() : null,
        shared.stream().allMatch(ResourceSharing::renamed));
  }

  boolean usesMps() {
    return byDevice.values().stream()
        .anyMatch(sharing -> sharing.kind() == Sharing.SharingKind.MPS);
  }
}
