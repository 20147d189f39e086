package io.gpureclaimer.deviceplugin.allocation;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds devices that are allocated under a name or id that is no longer advertised. The kubelet
 * takes what is offered now for free.
 */
public final class StaleDevices {
  private StaleDevices() {}

  /**
   * The UUIDs of such devices. Of a GPU that was given as a whole and is divided since, they are
   * its parts.
   *
   * @param held ids by the resource that they were given under
   */
  public static Set<String> in(AdvertisedResources offer, Map<String, Set<String>> held) {
    Map<String, Set<String>> offered =
        offer.resources().values().stream()
            .collect(Collectors.toMap(it -> it.name().value(), StaleDevices::ids));
    Set<String> given =
        held.entrySet().stream()
            .flatMap(entry -> gone(entry, offered))
            .map(AdvertisedDevice::deviceOf)
            .collect(Collectors.toSet());
    return offer.resources().values().stream()
        .flatMap(resource -> resource.portions().stream())
        .map(AdvertisedDevice::device)
        .filter(it -> given.contains(it.uuid()) || given.contains(it.gpu().value()))
        .map(Device::uuid)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Set<String> ids(AdvertisedResource resource) {
    return resource.portions().stream()
        .flatMap(portion -> portion.ids().stream())
        .collect(Collectors.toSet());
  }

  private static Stream<String> gone(
      Map.Entry<String, Set<String>> held, Map<String, Set<String>> offered) {
    Set<String> still = offered.getOrDefault(held.getKey(), Set.of());
    return held.getValue().stream().filter(id -> !still.contains(id));
  }
}
