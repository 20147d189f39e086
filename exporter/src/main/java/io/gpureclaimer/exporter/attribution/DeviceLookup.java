package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.common.device.DeviceName;
import io.gpureclaimer.common.device.DeviceName.ByFile;
import io.gpureclaimer.common.device.DeviceName.ByIndex;
import io.gpureclaimer.common.device.DeviceName.ByMigUuid;
import io.gpureclaimer.common.device.DeviceName.ByUuid;
import io.gpureclaimer.common.device.DeviceName.InstanceByFile;
import io.gpureclaimer.common.device.DeviceName.InstanceByIndex;
import io.gpureclaimer.common.device.DeviceName.InstanceByUuid;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds devices of this node by names that do not contain the UUID of their GPU. Of a GPU that is
 * unavailable now, the last known names stand.
 *
 * @param gpus by the driver's index
 * @param files by the minor numbers of their device files
 * @param instances the GPU instances of MIG, by the {@code MIG-…} ids of the devices in them
 */
public record DeviceLookup(
    Map<Integer, GpuUuid> gpus, Map<Integer, GpuUuid> files, Map<String, Entity> instances) {
  /** Before the first poll. */
  public static final DeviceLookup EMPTY = new DeviceLookup(Map.of(), Map.of(), Map.of());

  public DeviceLookup {
    gpus = Map.copyOf(gpus);
    files = Map.copyOf(files);
    instances = Map.copyOf(instances);
  }

  /** Names of the devices of an inventory. */
  public static DeviceLookup of(NodeInventory inventory) {
    var gpus = new HashMap<Integer, GpuUuid>();
    var files = new HashMap<Integer, GpuUuid>();
    var instances = new HashMap<String, Entity>();
    for (GpuStatus gpu : inventory.gpus()) {
      GpuUuid uuid = gpu.uuid();
      GpuFacts facts = gpu.lastKnown();
      if (uuid != null) {
        gpus.put(gpu.index(), uuid);
      }
      if (uuid != null && facts != null) {
        // What a GPU reports now outweighs what another one reported before.
        if (gpu.usable() != null) {
          files.put(facts.minor(), uuid);
        } else {
          files.putIfAbsent(facts.minor(), uuid);
        }
        facts
            .placedInstances()
            .forEach(
                placed ->
                    instances.put(
                        placed.facts().uuid(),
                        Entity.instance(uuid, placed.facts().gpuInstance())));
      }
    }
    return new DeviceLookup(gpus, files, instances);
  }

  /** The device of that name; empty if this node has none. */
  public Optional<Entity> find(DeviceName name) {
    return switch (name) {
      case ByUuid(var gpu) -> Optional.of(Entity.whole(gpu));
      case InstanceByUuid(var gpu, int instance) -> Optional.of(Entity.instance(gpu, instance));
      case ByMigUuid(var uuid) -> Optional.ofNullable(instances.get(uuid));
      case ByIndex(int index) -> Optional.ofNullable(gpus.get(index)).map(Entity::whole);
      case ByFile(int minor) -> Optional.ofNullable(files.get(minor)).map(Entity::whole);
      case InstanceByIndex(int index, int instance) ->
          Optional.ofNullable(gpus.get(index)).map(gpu -> Entity.instance(gpu, instance));
      case InstanceByFile(int minor, int instance) ->
          Optional.ofNullable(files.get(minor)).map(gpu -> Entity.instance(gpu, instance));
    };
  }
}
