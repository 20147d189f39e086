package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.allocation.HeldOtherwise;
import io.gpureclaimer.core.allocation.Offer;
import io.gpureclaimer.core.kubelet.HeldDevice;
import io.gpureclaimer.core.kubelet.Listing;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Knows which devices containers hold by what an earlier configuration offered, so that nobody else
 * is given them. Asks the kubelet only when that may have changed, and while there are such.
 * Confined to one thread, which waits for the answer.
 */
final class FormerHolders {
  private final Supplier<Listing> kubelet;
  private Map<String, Set<String>> held = Map.of();
  private boolean due = true;

  FormerHolders(Supplier<Listing> kubelet) {
    this.kubelet = kubelet;
  }

  /** Other settings are in force: what is offered may be what somebody holds otherwise. */
  void settingsChanged() {
    due = true;
  }

  /** Asks, if there is a reason to; a kubelet that says nothing changes nothing. */
  void look(Offer offer) {
    if (!due && devices(offer).isEmpty()) {
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
        due = false;
      }
      case Listing.Unsupported() -> due = false;
      case Listing.Failed _ -> {}
    }
  }

  /** Their UUIDs. */
  Set<String> devices(Offer offer) {
    return held.isEmpty() ? Set.of() : HeldOtherwise.in(offer, held);
  }
}
