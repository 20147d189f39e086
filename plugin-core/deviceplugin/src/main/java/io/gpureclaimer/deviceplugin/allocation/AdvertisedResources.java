package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All resources that a node advertises to the kubelet at one time.
 *
 * @param resources by name; one that was there before and has nothing left is empty, so that the
 *     kubelet sees the change
 * @param problems what is not offered, or only as unhealthy, why, and what to change: for people
 */
public record AdvertisedResources(
    SortedMap<ResourceName, AdvertisedResource> resources, List<String> problems) {
  /** Before there was any. */
  public static final AdvertisedResources NOTHING =
      new AdvertisedResources(new TreeMap<>(), List.of());

  public AdvertisedResources {
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
  public static AdvertisedResources of(
      NodeInventory inventory,
      ResourceSettings settings,
      Predicate<Entity> healthy,
      AdvertisedResources previous) {
    return new ResourcesBuilder(settings, healthy, previous).of(inventory);
  }

  /** What is offered under a name; empty if nothing is. */
  public AdvertisedResource resource(ResourceName name) {
    return resources.getOrDefault(name, new AdvertisedResource(name, List.of()));
  }

  Stream<AdvertisedDevice> portionsOf(GpuUuid gpu) {
    return resources.values().stream()
        .flatMap(resource -> resource.portions().stream())
        .filter(portion -> portion.device().gpu().equals(gpu));
  }

  /**
   * Builds the advertised resources from devices: naming, strategy filter, sharing. Confined to one
   * making.
   */
  private static final class ResourcesBuilder {
    private final ResourceSettings settings;
    private final Predicate<Entity> healthy;
    private final AdvertisedResources previous;
    private final List<String> problems = new ArrayList<>();

    ResourcesBuilder(
        ResourceSettings settings, Predicate<Entity> healthy, AdvertisedResources previous) {
      this.settings = settings;
      this.healthy = healthy;
      this.previous = previous;
    }

    AdvertisedResources of(NodeInventory inventory) {
      var naming = new DeviceNaming(settings, problems::add);
      List<NamedDevice> devices =
          inventory.gpus().stream()
              .flatMap(
                  gpu ->
                      switch (gpu) {
                        case GpuStatus.Responding(var facts) -> naming.of(facts).stream();
                        case GpuStatus.Late(var facts) -> naming.of(facts).stream();
                        case GpuStatus.Unavailable unreadable -> unread(unreadable).stream();
                      })
              .toList();
      List<NamedDevice> alike =
          settings.mig() == MigStrategy.SINGLE
              ? new SingleStrategyFilter(problems::add).keep(devices)
              : devices;
      return offer(new SharePlan(settings.sharing(), healthy, previous, problems::add).of(alike));
    }

    /** It keeps its place, so that no other device is taken for it. */
    private List<NamedDevice> unread(GpuStatus.Unavailable gpu) {
      GpuUuid uuid = gpu.uuid();
      String which = "GPU " + gpu.index() + (uuid == null ? "" : " (" + uuid + ")");
      List<NamedDevice> known = uuid == null ? List.of() : known(uuid, gpu.index());
      problems.add(
          which
              + " could not be read: "
              + gpu.reason()
              + (known.isEmpty() ? "; it is not offered" : "; it is offered as unhealthy"));
      return known;
    }

    private List<NamedDevice> known(GpuUuid uuid, int index) {
      List<NamedDevice> before =
          previous
              .portionsOf(uuid)
              .map(portion -> new NamedDevice(portion.origin(), true, portion.device(), false))
              .sorted(Comparator.comparing(named -> named.device().index()))
              .toList();
      // What its model would be called cannot be known.
      boolean oneName = settings.gpuNames().isEmpty();
      return before.isEmpty() && oneName
          ? List.of(new NamedDevice(DeviceNaming.GPU, true, Device.unread(uuid, index), false))
          : before;
    }

    private AdvertisedResources offer(SortedMap<ResourceName, List<AdvertisedDevice>> portions) {
      var resources = new TreeMap<ResourceName, AdvertisedResource>();
      previous
          .resources()
          .keySet()
          .forEach(name -> resources.put(name, new AdvertisedResource(name, List.of())));
      portions.forEach(
          (name, offered) -> resources.put(name, new AdvertisedResource(name, sorted(offered))));
      return new AdvertisedResources(resources, problems);
    }

    private static List<AdvertisedDevice> sorted(List<AdvertisedDevice> portions) {
      return portions.stream()
          .sorted(
              Comparator.<AdvertisedDevice, DeviceIndex>comparing(
                      portion -> portion.device().index())
                  .thenComparing(portion -> portion.device().uuid()))
          .toList();
    }
  }
}
