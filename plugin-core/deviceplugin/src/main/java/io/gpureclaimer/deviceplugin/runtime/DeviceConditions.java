package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedDevice;
import io.gpureclaimer.deviceplugin.allocation.AllocationBlocker;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.health.device.Condition.Healthy;
import io.gpureclaimer.deviceplugin.health.device.Condition.Unhealthy;
import io.gpureclaimer.deviceplugin.runtime.ConditionDebouncer.NodeCondition;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reasons why new pods do not get devices of this node. A GPU that is gone is one of them; a MIG
 * device that no longer exists is not. Confined to one thread.
 */
final class DeviceConditions {
  private static final String GONE = "it is no longer on the node";

  private final Function<Entity, Condition> health;

  /** Everything that was ever offered, by UUID. */
  private final Map<String, KnownGpu> known = new HashMap<>();

  private Set<String> offered = Set.of();

  private record KnownGpu(GpuUuid gpu, String name) {}

  DeviceConditions(Function<Entity, Condition> health) {
    this.health = health;
  }

  /** By the UUIDs of the devices. */
  Map<String, NodeCondition> of(PluginView view, NodeInventory inventory) {
    Map<String, NodeCondition> conditions = new TreeMap<>();
    Set<String> now = new HashSet<>();
    view.offer().resources().values().stream()
        .flatMap(resource -> resource.portions().stream())
        .forEach(
            portion -> {
              var device = portion.device();
              String uuid = device.uuid();
              now.add(uuid);
              known.put(
                  uuid, new KnownGpu(device.gpu(), "GPU " + device.index() + " (" + uuid + ")"));
              AllocationBlocker blocker = view.blockers().get(uuid);
              if (!portion.healthy() || blocker != null) {
                conditions.put(uuid, condition(portion, view));
              }
            });
    offered = now;
    gone(inventory).forEach(uuid -> conditions.put(uuid, new NodeCondition(GONE, true, null)));
    return conditions;
  }

  private Set<String> gone(NodeInventory inventory) {
    Set<GpuUuid> present = present(inventory);
    Set<String> absent = new HashSet<>();
    known.forEach(
        (uuid, device) -> {
          if (!present.contains(device.gpu())) {
            absent.add(uuid);
          }
        });
    return absent;
  }

  boolean isOffered(String uuid) {
    return offered.contains(uuid);
  }

  /** The UUIDs of all that are. */
  Set<String> offered() {
    return Set.copyOf(offered);
  }

  /** What people call a device that was ever offered. */
  String name(String uuid) {
    KnownGpu device = known.get(uuid);
    return device == null ? uuid : device.name();
  }

  private NodeCondition condition(AdvertisedDevice portion, PluginView view) {
    if (view.driverDown() != null) {
      return new NodeCondition("the driver is down: " + view.driverDown(), true, null);
    }
    AllocationBlocker blocker = view.blockers().get(portion.device().uuid());
    return switch (health.apply(portion.device().entity())) {
      case Unhealthy(_, var text, var since) -> new NodeCondition(text, true, since);
      case Healthy() ->
          new NodeCondition(
              blocker == null
                  ? "the MIG layout of the GPU differs from the configuration"
                  : blocker.text(),
              false,
              null);
    };
  }

  private static Set<GpuUuid> present(NodeInventory inventory) {
    return inventory.gpus().stream()
        .map(GpuStatus::uuid)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }
}
