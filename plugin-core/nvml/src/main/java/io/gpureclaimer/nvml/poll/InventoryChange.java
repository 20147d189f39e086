package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.GpuFacts.RecoveryAction;
import io.gpureclaimer.nvml.poll.GpuStatus.Unavailable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One difference between two inventories; a GPU that never reported its UUID makes none. */
public sealed interface InventoryChange {

  /** There is a GPU that was not there. */
  record Appeared(GpuUuid gpu) implements InventoryChange {}

  /** The driver no longer counts a GPU. */
  record Removed(GpuUuid gpu) implements InventoryChange {}

  /** A GPU has become unavailable. */
  record Failed(GpuUuid gpu, String reason) implements InventoryChange {}

  /** A GPU responds again. */
  record Recovered(GpuUuid gpu) implements InventoryChange {}

  /** The MIG layout is another one. */
  record Repartitioned(GpuUuid gpu, List<String> profiles) implements InventoryChange {
    public Repartitioned {
      profiles = List.copyOf(profiles);
    }
  }

  /** The driver requires something else before the GPU is used again. */
  record ActionChanged(GpuUuid gpu, @Nullable RecoveryAction action) implements InventoryChange {}

  /** Another driver is loaded. */
  record DriverChanged(@Nullable String before, @Nullable String now) implements InventoryChange {}

  /** Differences in the order of the driver's indexes, the removed GPUs last. */
  static List<InventoryChange> between(NodeInventory before, NodeInventory now) {
    List<InventoryChange> changes = new ArrayList<>();
    if (!Objects.equals(before.driverVersion(), now.driverVersion())) {
      changes.add(new DriverChanged(before.driverVersion(), now.driverVersion()));
    }
    Map<GpuUuid, GpuStatus> then = byUuid(before);
    Map<GpuUuid, GpuStatus> present = byUuid(now);
    present.forEach((uuid, gpu) -> changes.addAll(of(uuid, then.get(uuid), gpu)));
    then.keySet().stream()
        .filter(uuid -> !present.containsKey(uuid))
        .map(Removed::new)
        .forEach(changes::add);
    return changes;
  }

  private static List<InventoryChange> of(GpuUuid uuid, @Nullable GpuStatus before, GpuStatus now) {
    List<InventoryChange> changes = new ArrayList<>();
    if (before == null) {
      changes.add(new Appeared(uuid));
    }
    boolean wasUnavailable = before instanceof Unavailable;
    GpuFacts facts = now.usable();
    GpuFacts factsBefore = before == null ? null : before.usable();
    if (now instanceof Unavailable unavailable && !wasUnavailable) {
      changes.add(new Failed(uuid, unavailable.reason()));
    }
    if (facts != null && wasUnavailable) {
      changes.add(new Recovered(uuid));
    }
    if (facts != null && factsBefore != null) {
      changes.addAll(of(factsBefore, facts));
    }
    return changes;
  }

  private static List<InventoryChange> of(GpuFacts before, GpuFacts now) {
    List<InventoryChange> changes = new ArrayList<>();
    if (before.migOn() != now.migOn() || !before.instances().equals(now.instances())) {
      changes.add(
          new Repartitioned(
              now.gpu().uuid(), now.instances().stream().map(MigFacts::profile).toList()));
    }
    if (before.recovery() != now.recovery()) {
      changes.add(new ActionChanged(now.gpu().uuid(), now.recovery()));
    }
    return changes;
  }

  private static Map<GpuUuid, GpuStatus> byUuid(NodeInventory inventory) {
    Map<GpuUuid, GpuStatus> byUuid = new LinkedHashMap<>();
    for (GpuStatus gpu : inventory.gpus()) {
      GpuUuid uuid = gpu.uuid();
      if (uuid != null) {
        byUuid.put(uuid, gpu);
      }
    }
    return byUuid;
  }
}
