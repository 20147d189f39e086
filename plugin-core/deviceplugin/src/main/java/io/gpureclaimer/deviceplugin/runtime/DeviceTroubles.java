package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.allocation.Obstacle;
import io.gpureclaimer.deviceplugin.allocation.Portion;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.health.device.Condition.Healthy;
import io.gpureclaimer.deviceplugin.health.device.Condition.Unhealthy;
import io.gpureclaimer.deviceplugin.health.device.Told;
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
 * Why new pods do not get devices of this node. A GPU that is gone is one of them; a part into
 * which no GPU is divided any more is not. Confined to one thread.
 */
final class DeviceTroubles {
  private static final String GONE = "it is not on the node any more";

  private final Function<Entity, Condition> health;

  /** Everything that was ever offered, by UUID. */
  private final Map<String, Known> known = new HashMap<>();

  /** Of which an earlier run told that they are gone. */
  private final Set<String> goneBefore = new HashSet<>();

  private Set<String> offered = Set.of();
  private Set<String> gone = Set.of();

  private record Known(GpuUuid gpu, String name) {}

  /**
   * @param before of which devices people were told by an earlier run
   */
  DeviceTroubles(Function<Entity, Condition> health, Map<String, Told> before) {
    this.health = health;
    before.forEach(
        (uuid, told) -> {
          known.put(uuid, new Known(told.gpu(), told.name()));
          if (told.text().equals(GONE)) {
            goneBefore.add(uuid);
          }
        });
  }

  /** By the UUIDs of the devices. */
  Map<String, Trouble> of(PluginView view, NodeInventory inventory) {
    Map<String, Trouble> troubles = new TreeMap<>();
    Set<String> now = new HashSet<>();
    view.offer().resources().values().stream()
        .flatMap(resource -> resource.portions().stream())
        .forEach(
            portion -> {
              var device = portion.device();
              String uuid = device.uuid();
              now.add(uuid);
              known.put(uuid, new Known(device.gpu(), "GPU " + device.index() + " (" + uuid + ")"));
              Obstacle obstacle = view.obstacles().get(uuid);
              if (!portion.healthy() || obstacle != null) {
                troubles.put(uuid, trouble(portion, view));
              }
            });
    offered = now;
    gone = gone(inventory);
    gone.forEach(uuid -> troubles.put(uuid, new Trouble(GONE, null)));
    return troubles;
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

  /** What people call a device that was ever offered. */
  String name(String uuid) {
    Known device = known.get(uuid);
    return device == null ? uuid : device.name();
  }

  /**
   * What is to be remembered of what was told. A GPU that is still gone when another run looks was
   * taken out: nobody has to be told at every start from then on.
   */
  Map<String, Told> remembered(Map<String, Trouble> told) {
    Map<String, Told> all = new HashMap<>();
    told.forEach(
        (uuid, trouble) -> {
          Known device = known.get(uuid);
          boolean isOut = gone.contains(uuid) && goneBefore.contains(uuid);
          if (device != null && !isOut) {
            all.put(uuid, new Told(device.gpu(), device.name(), trouble.text(), trouble.since()));
          }
        });
    return all;
  }

  private Trouble trouble(Portion portion, PluginView view) {
    if (view.driverDown() != null) {
      return new Trouble("the driver is down: " + view.driverDown(), null);
    }
    Obstacle obstacle = view.obstacles().get(portion.device().uuid());
    return switch (health.apply(portion.device().entity())) {
      case Unhealthy(_, var text, var since) -> new Trouble(text, since);
      case Healthy() ->
          new Trouble(obstacle == null ? "the GPU is not divided as asked" : obstacle.text(), null);
    };
  }

  private static Set<GpuUuid> present(NodeInventory inventory) {
    return inventory.gpus().stream()
        .map(GpuStatus::uuid)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }
}
