package io.gpureclaimer.core.allocation;

import io.gpureclaimer.core.device.ComputeCapability;
import io.gpureclaimer.core.device.Entity;
import java.util.ArrayList;
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
  private final Consumer<String> problems;
  private final SortedMap<ResourceName, List<Portion>> portions = new TreeMap<>();

  SharePlan(Sharing sharing, Predicate<Entity> healthy, Consumer<String> problems) {
    this.sharing = sharing;
    this.healthy = healthy;
    this.problems = problems;
  }

  SortedMap<ResourceName, List<Portion>> of(List<Named> devices) {
    Set<Named> left = new LinkedHashSet<>(devices);
    int most = MOST_SHARES / Math.max(1, devices.size());
    for (SharedResource entry : sharing.resources()) {
      List<Named> chosen = chosen(entry, left);
      chosen.forEach(left::remove);
      chosen.forEach(named -> share(named, entry, most));
    }
    left.forEach(named -> add(named.name(), portion(named, Sharing.Kind.NONE, 1)));
    return portions;
  }

  private List<Named> chosen(SharedResource entry, Set<Named> left) {
    List<Named> candidates =
        left.stream().filter(named -> named.name().equals(entry.name())).toList();
    return switch (entry.devices()) {
      case DeviceChoice.All() -> candidates;
      case DeviceChoice.First(int count) -> candidates.stream().limit(count).toList();
      case DeviceChoice.These these ->
          candidates.stream().filter(named -> these.name(named.device())).toList();
    };
  }

  private void share(Named named, SharedResource entry, int most) {
    Device device = named.device();
    if (sharing.kind() != Sharing.Kind.MPS) {
      int slices = slices(device, entry.replicas(), most);
      add(entry.offeredAs(), portion(named, sharing.kind(), slices));
    } else if (device.isPart()) {
      problems.accept(
          "the MIG device "
              + device.uuid()
              + " is not offered: MPS cannot share it; take "
              + entry.name()
              + " out of sharing.mps, or share it by sharing.timeSlicing");
    } else {
      add(entry.offeredAs(), portion(named, sharing.kind(), clients(device, entry.replicas())));
    }
  }

  /** A slip of the pen in a number of replicas must not take the agent's memory. */
  private int slices(Device device, int wanted, int most) {
    if (wanted > most) {
      problems.accept(
          "the device "
              + device.index()
              + " ("
              + device.uuid()
              + ") is offered in "
              + most
              + " shares: a node offers no more than "
              + MOST_SHARES
              + " in all, sharing.timeSlicing asks for "
              + wanted
              + " of each");
    }
    return Math.min(wanted, most);
  }

  /**
   * MPS serves no more contexts on a GPU, says its documentation, and what is offered beyond that
   * would fail in the container. A GPU that does not tell what it is counts as an old one.
   */
  private int clients(Device device, int wanted) {
    ComputeCapability capability = device.capability();
    int most =
        capability != null && capability.compareTo(VOLTA) >= 0
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
              + " shares: MPS serves no more on it, sharing.mps asks for "
              + wanted);
    }
    return Math.min(wanted, most);
  }

  private Portion portion(Named named, Sharing.Kind kind, int replicas) {
    boolean given = named.readable() && healthy.test(named.device().entity());
    return new Portion(named.name(), named.device(), kind, replicas, given);
  }

  private void add(ResourceName name, Portion portion) {
    portions.computeIfAbsent(name, absent -> new ArrayList<>()).add(portion);
  }
}
