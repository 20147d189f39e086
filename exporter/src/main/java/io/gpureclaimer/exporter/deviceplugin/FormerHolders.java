package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.allocation.HeldOtherwise;
import io.gpureclaimer.core.allocation.Offer;
import io.gpureclaimer.core.allocation.Portion;
import io.gpureclaimer.core.allocation.ResourceName;
import io.gpureclaimer.core.allocation.Sharing;
import io.gpureclaimer.core.kubelet.HeldDevice;
import io.gpureclaimer.core.kubelet.Listing;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Knows which devices containers hold by what was offered earlier, so that nobody else is given
 * them. Asks the kubelet only when other devices are offered, or other shares of them, and while
 * there are such. Confined to one thread, which waits for the answer.
 */
final class FormerHolders {
  private final Supplier<Listing> kubelet;
  private Map<String, Set<String>> held = Map.of();
  private @Nullable Set<Division> asked;

  FormerHolders(Supplier<Listing> kubelet) {
    this.kubelet = kubelet;
  }

  /** How a device is offered. */
  private record Division(ResourceName resource, String uuid, Sharing.Kind sharing, int replicas) {}

  /** Asks, if there is a reason to; a kubelet that says nothing changes nothing. */
  void look(Offer offer) {
    Set<Division> now = divisions(offer);
    if (now.equals(asked) && devices(offer).isEmpty()) {
      return;
    }
    switch (kubelet.get()) {
      case Listing.Listed(var devices, _) -> {
        held =
            devices.stream()
                .collect(
                    Collectors.groupingBy(
                        HeldDevice::resource,
                        Collectors.mapping(HeldDevice::id, Collectors.toUnmodifiableSet())));
        asked = now;
      }
      case Listing.Unsupported() -> asked = now;
      case Listing.Failed _ -> {}
    }
  }

  private static Set<Division> divisions(Offer offer) {
    return offer.resources().values().stream()
        .flatMap(resource -> resource.portions().stream().map(it -> division(resource.name(), it)))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Division division(ResourceName resource, Portion portion) {
    return new Division(resource, portion.device().uuid(), portion.sharing(), portion.replicas());
  }

  /** Their UUIDs. */
  Set<String> devices(Offer offer) {
    return held.isEmpty() ? Set.of() : HeldOtherwise.in(offer, held);
  }
}
