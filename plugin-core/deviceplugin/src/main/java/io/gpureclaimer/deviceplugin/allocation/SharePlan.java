package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Entity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Divides devices into shares. Confined to the making of one offer. */
final class SharePlan {
  private static final ComputeCapability VOLTA = new ComputeCapability(7, 0);
  private static final int MOST_CLIENTS = 48;
  private static final int MOST_CLIENTS_BEFORE_VOLTA = 16;

  /** What the agent has memory for; the kubelet would take about three times as many. */
  private static final int MOST_SHARES = 20_000;

  private final Sharing sharing;
  private final Predicate<Entity> healthy;
  private final AdvertisedResources previous;
  private final Consumer<String> problems;
  private final SortedMap<ResourceName, List<AdvertisedDevice>> portions = new TreeMap<>();

  /**
   * Divides nothing yet.
   *
   * @param previous what was offered until now; it stays where what is asked for cannot be
   */
  SharePlan(
      Sharing sharing,
      Predicate<Entity> healthy,
      AdvertisedResources previous,
      Consumer<String> problems) {
    this.sharing = sharing;
    this.healthy = healthy;
    this.previous = previous;
    this.problems = problems;
  }

  SortedMap<ResourceName, List<AdvertisedDevice>> of(List<NamedDevice> devices) {
    var entries = new LinkedHashMap<NamedDevice, SharedResource>();
    Set<NamedDevice> left = new LinkedHashSet<>(devices);
    for (SharedResource entry : sharing.resources()) {
      List<NamedDevice> chosen = chosen(entry, left);
      chosen.forEach(left::remove);
      chosen.forEach(named -> entries.put(named, entry));
    }
    if (isTooMany(entries.values(), left.size())) {
      devices.forEach(this::keep);
      return portions;
    }
    entries.forEach(this::share);
    left.forEach(named -> add(named.name(), portion(named, Sharing.SharingKind.NONE, 1)));
    return portions;
  }

  /** A slip of the pen in a number of replicas must not take the agent's memory. */
  private boolean isTooMany(Collection<SharedResource> entries, int unshared) {
    long wanted = unshared + entries.stream().mapToLong(SharedResource::replicas).sum();
    if (sharing.kind() != Sharing.SharingKind.TIME_SLICING || wanted <= MOST_SHARES) {
      return false;
    }
    problems.accept(
        "sharing.timeSlicing asks for "
            + wanted
            + " shares of the devices of this node, which offers at most "
            + MOST_SHARES
            + " in all: lower replicas; until then "
            + (previous.resources().isEmpty()
                ? "nothing is offered"
                : "what was offered before stays"));
    return true;
  }

  /** As it was offered before; not at all if it was not. */
  private void keep(NamedDevice named) {
    previous
        .resources()
        .forEach(
            (name, resource) ->
                resource.portions().stream()
                    .filter(before -> before.device().uuid().equals(named.device().uuid()))
                    .forEach(
                        before -> add(name, portion(named, before.sharing(), before.replicas()))));
  }

  private List<NamedDevice> chosen(SharedResource entry, Set<NamedDevice> left) {
    List<NamedDevice> candidates =
        left.stream().filter(named -> named.name().equals(entry.name())).toList();
    return switch (entry.devices()) {
      case DeviceChoice.All() -> candidates;
      case DeviceChoice.First(int count) -> candidates.stream().limit(count).toList();
      case DeviceChoice.Named chosen ->
          candidates.stream().filter(named -> chosen.matches(named.device())).toList();
    };
  }

  private void share(NamedDevice named, SharedResource entry) {
    Device device = named.device();
    if (sharing.kind() != Sharing.SharingKind.MPS) {
      add(entry.offeredAs(), portion(named, sharing.kind(), entry.replicas()));
    } else if (device.isPart()) {
      problems.accept(
          "the MIG device "
              + device.uuid()
              + " is not offered: MPS cannot share it; take "
              + entry.name()
              + " out of sharing.mps, or share it by sharing.timeSlicing");
    } else {
      add(entry.offeredAs(), portion(named, sharing.kind(), clients(named, entry.replicas())));
    }
  }

  /**
   * The most contexts that MPS serves on a GPU, by its documentation; more shares would fail in the
   * container. A GPU with an unknown compute capability counts as an old one, unless nothing of it
   * is readable: then no container gets a share of it.
   */
  private int clients(NamedDevice named, int wanted) {
    Device device = named.device();
    ComputeCapability capability = device.capability();
    int most =
        !named.readable() || (capability != null && capability.compareTo(VOLTA) >= 0)
            ? MOST_CLIENTS
            : MOST_CLIENTS_BEFORE_VOLTA;
    if (wanted > most) {
      problems.accept(
          "GPU "
              + device.index()
              + " ("
              + device.uuid()
              + ") is offered in "
              + most
              + " shares: that is the limit of MPS on it, sharing.mps asks for "
              + wanted);
    }
    return Math.min(wanted, most);
  }

  private AdvertisedDevice portion(NamedDevice named, Sharing.SharingKind kind, int replicas) {
    boolean given = named.readable() && healthy.test(named.device().entity());
    return new AdvertisedDevice(named.name(), named.device(), kind, replicas, given);
  }

  private void add(ResourceName name, AdvertisedDevice portion) {
    portions.computeIfAbsent(name, absent -> new ArrayList<>()).add(portion);
  }
}
