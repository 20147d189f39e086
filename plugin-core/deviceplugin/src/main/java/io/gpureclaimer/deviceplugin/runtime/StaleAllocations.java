package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedDevice;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.deviceplugin.allocation.StaleDevices;
import io.gpureclaimer.deviceplugin.kubelet.ContainerDevice;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Devices that are allocated under an earlier configuration, so that they are not allocated twice.
 * Asks the kubelet only when other devices are offered, or other shares of them, and while there
 * are such. Confined to one thread, which does not wait for the answer.
 */
final class StaleAllocations {
  private static final Logger log = LoggerFactory.getLogger(StaleAllocations.class);

  private final Supplier<PodResourcesListing> kubelet;
  private final Executor aside;
  private final Executor own;
  private Map<String, Set<String>> held = Map.of();

  /** What was offered when the kubelet last answered, or first failed to; null before. */
  private @Nullable Set<AdvertisedLayout> settled;

  /** What was offered when it last answered. */
  private @Nullable Set<AdvertisedLayout> answered;

  /**
   * Whether to ask once more: a container may have been given a device by what was offered before,
   * while the kubelet made the list that it answered with.
   */
  private boolean onceMore;

  private Set<AdvertisedLayout> newest = Set.of();
  private boolean underWay;
  private boolean silent;

  /**
   * Knows nothing yet.
   *
   * @param kubelet may take a while; is asked by one thread at a time
   * @param aside where it is asked
   * @param own the thread to which this is confined
   */
  StaleAllocations(Supplier<PodResourcesListing> kubelet, Executor aside, Executor own) {
    this.kubelet = kubelet;
    this.aside = aside;
    this.own = own;
  }

  /** How a device is offered. */
  private record AdvertisedLayout(
      ResourceName resource, GpuUuid gpu, String uuid, Sharing.SharingKind sharing, int replicas) {}

  /**
   * Whether something may be offered at all: the kubelet was asked once, and has answered, or has
   * not in time.
   */
  boolean wereAskedFor() {
    return settled != null;
  }

  /**
   * Asks, if there is a reason to.
   *
   * @param news run when an answer may have changed what can be given to others
   */
  void check(AdvertisedResources offer, Runnable news) {
    newest = divisions(offer);
    if (!underWay && (!newest.equals(answered) || onceMore || !devices(offer).isEmpty())) {
      ask(newest, news);
    }
  }

  private void ask(Set<AdvertisedLayout> offered, Runnable news) {
    underWay = true;
    aside.execute(() -> question(offered, news));
  }

  private void question(Set<AdvertisedLayout> offered, Runnable news) {
    PodResourcesListing listing =
        new PodResourcesListing.Failed(
            "unknown", "the question ended without an answer; the log says why");
    try {
      listing = kubelet.get();
    } finally {
      back(listing, offered, news);
    }
  }

  private void back(PodResourcesListing listing, Set<AdvertisedLayout> offered, Runnable news) {
    try {
      own.execute(() -> end(listing, offered, news));
    } catch (RejectedExecutionException _) {
      // The program is being stopped: nothing is offered from now on.
      log.debug("stopped waiting for the allocations of the kubelet");
    }
  }

  private void end(PodResourcesListing listing, Set<AdvertisedLayout> offered, Runnable news) {
    underWay = false;
    boolean changed = take(listing, offered);
    if (changed) {
      news.run();
    }
    if (!newest.equals(offered) && !(listing instanceof PodResourcesListing.Failed)) {
      ask(newest, news);
    }
  }

  /** A kubelet that says nothing changes nothing, but that the first offer waits no longer. */
  private boolean take(PodResourcesListing listing, Set<AdvertisedLayout> offered) {
    logSilence(listing);
    Map<String, Set<String>> heldBefore = held;
    boolean news = !offered.equals(settled);
    switch (listing) {
      case PodResourcesListing.Listed(var devices, _) -> {
        held =
            devices.stream()
                .collect(
                    Collectors.groupingBy(
                        ContainerDevice::resource,
                        Collectors.mapping(ContainerDevice::id, Collectors.toUnmodifiableSet())));
        onceMore = !offered.equals(answered);
        answered = offered;
        settled = offered;
      }
      case PodResourcesListing.Unsupported() -> {
        answered = offered;
        settled = offered;
      }
      case PodResourcesListing.Failed _ -> {
        news = settled == null;
        settled = settled == null ? offered : settled;
      }
    }
    return news || !held.equals(heldBefore);
  }

  private void logSilence(PodResourcesListing listing) {
    boolean failed = listing instanceof PodResourcesListing.Failed;
    if (listing instanceof PodResourcesListing.Failed(_, var reason) && !silent) {
      log.warn(
          "device plugin: the kubelet does not report allocations: {}; {}; it is "
              + "queried again at each poll",
          reason,
          answered == null
              ? "a device that is allocated under an earlier configuration may be allocated to"
                  + " another pod until it does"
              : "a device that is offered otherwise than before is not allocated until it does");
    } else if (!failed && silent) {
      log.info("device plugin: the kubelet reports allocations again");
    }
    silent = failed;
  }

  private static Set<AdvertisedLayout> divisions(AdvertisedResources offer) {
    return offer.resources().values().stream()
        .flatMap(resource -> resource.portions().stream().map(it -> division(resource.name(), it)))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static AdvertisedLayout division(ResourceName resource, AdvertisedDevice portion) {
    var device = portion.device();
    return new AdvertisedLayout(
        resource, device.gpu(), device.uuid(), portion.sharing(), portion.replicas());
  }

  /** Their UUIDs. */
  Set<String> devices(AdvertisedResources offer) {
    return held.isEmpty() ? Set.of() : StaleDevices.in(offer, held);
  }

  /**
   * The UUIDs of devices that are offered otherwise than at the last answer of the kubelet: a
   * container may hold them under the former offer. A new GPU has no holder. Before the first
   * answer of a kubelet, no device is expected to be held, because otherwise none would be offered.
   */
  Set<String> unaccounted(AdvertisedResources offer) {
    Set<AdvertisedLayout> before = answered;
    if (before == null) {
      return Set.of();
    }
    Set<GpuUuid> known = before.stream().map(AdvertisedLayout::gpu).collect(Collectors.toSet());
    return divisions(offer).stream()
        .filter(it -> known.contains(it.gpu()) && !before.contains(it))
        .map(AdvertisedLayout::uuid)
        .collect(Collectors.toUnmodifiableSet());
  }
}
