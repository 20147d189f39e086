package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Everything that a node offers to the kubelet at one time.
 *
 * @param resources by name; one that was there before and has nothing left is empty, so that the
 *     kubelet is told so
 * @param problems what is not offered, or only as unhealthy, why, and what to change: for people
 */
public record Offer(SortedMap<ResourceName, OfferedResource> resources, List<String> problems) {
  /** Before there was any. */
  public static final Offer NOTHING = new Offer(new TreeMap<>(), List.of());

  public Offer {
    resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
    problems = List.copyOf(problems);
  }

  /**
   * What is to be offered.
   *
   * @param inventory the devices that exist
   * @param settings under which names
   * @param healthy whether a new container may get it
   * @param previous what was offered until now: its names stay, and a GPU that cannot be read stays
   *     what it was, but for its health
   */
  public static Offer of(
      NodeInventory inventory, OfferSettings settings, Predicate<Entity> healthy, Offer previous) {
    return new OfferMaking(settings, healthy, previous).of(inventory);
  }

  /** What is offered under a name; empty if nothing is. */
  public OfferedResource resource(ResourceName name) {
    return resources.getOrDefault(name, new OfferedResource(name, List.of()));
  }

  Stream<Portion> portionsOf(GpuUuid gpu) {
    return resources.values().stream()
        .flatMap(resource -> resource.portions().stream())
        .filter(portion -> portion.device().gpu().equals(gpu));
  }
}
