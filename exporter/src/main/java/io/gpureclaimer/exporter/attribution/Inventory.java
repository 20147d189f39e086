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
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.InstanceSample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which devices this node has, by the names that do not say by themselves which GPU is meant.
 *
 * @param gpus by the driver's index
 * @param files by the numbers of their device files; without those that did not tell theirs
 * @param instances the GPU instances of MIG, by the {@code MIG-…} ids of the devices in them
 */
public record Inventory(
    Map<Integer, GpuUuid> gpus, Map<String, GpuUuid> files, Map<String, Entity> instances) {
  /** Before the first pass. */
  public static final Inventory EMPTY = new Inventory(Map.of(), Map.of(), Map.of());

  public Inventory {
    gpus = Map.copyOf(gpus);
    files = Map.copyOf(files);
    instances = Map.copyOf(instances);
  }

  /**
   * What a pass found; of a GPU that did not answer in it, what was known before stands.
   *
   * @return this one if nothing has changed
   */
  public Inventory after(List<GpuSample> pass) {
    var found = new HashMap<Integer, GpuUuid>();
    var parts = new HashMap<String, Entity>();
    for (GpuSample sample : pass) {
      sample.gpu().ifPresent(gpu -> found.put(gpu.index(), gpu.uuid()));
      if (sample instanceof Answered answered) {
        answered.instances().forEach(part -> add(part, parts));
      } else {
        sample.gpu().ifPresent(gpu -> addKnown(gpu.uuid(), parts));
      }
    }
    var next = new Inventory(found, filesAfter(pass), parts);
    return next.equals(this) ? this : next;
  }

  /**
   * What a GPU says now counts more than what another one said before; of one that does not say it
   * now, as after a failure of that one question, what it said stands.
   */
  private Map<String, GpuUuid> filesAfter(List<GpuSample> pass) {
    var found = new HashMap<String, GpuUuid>();
    for (GpuSample sample : pass) {
      sample.gpu().ifPresent(gpu -> addKnownFile(gpu.uuid(), found));
    }
    for (GpuSample sample : pass) {
      if (sample instanceof Answered answered) {
        String minor = answered.texts().get(DcgmField.DEV_MINOR_NUMBER);
        if (minor != null) {
          found.values().remove(answered.device().uuid());
          found.put(minor, answered.device().uuid());
        }
      }
    }
    return found;
  }

  /** The device that is meant; empty if this node has none of that name. */
  public Optional<Entity> find(DeviceName name) {
    return switch (name) {
      case ByUuid(var gpu) -> Optional.of(Entity.whole(gpu));
      case InstanceByUuid(var gpu, int instance) -> Optional.of(Entity.instance(gpu, instance));
      case ByMigUuid(var uuid) -> Optional.ofNullable(instances.get(uuid));
      case ByIndex(int index) -> Optional.ofNullable(gpus.get(index)).map(Entity::whole);
      case ByFile(int minor) -> byFile(minor).map(Entity::whole);
      case InstanceByIndex(int index, int instance) ->
          Optional.ofNullable(gpus.get(index)).map(gpu -> Entity.instance(gpu, instance));
      case InstanceByFile(int minor, int instance) ->
          byFile(minor).map(gpu -> Entity.instance(gpu, instance));
    };
  }

  private Optional<GpuUuid> byFile(int minor) {
    return Optional.ofNullable(files.get(Integer.toString(minor)));
  }

  private static void add(InstanceSample part, Map<String, Entity> into) {
    MigInstance instance = part.instance();
    instance.uuids().forEach(uuid -> into.put(uuid, instance.entity()));
  }

  private void addKnown(GpuUuid gpu, Map<String, Entity> into) {
    instances.forEach(
        (uuid, entity) -> {
          if (entity.gpu().equals(gpu)) {
            into.put(uuid, entity);
          }
        });
  }

  private void addKnownFile(GpuUuid gpu, Map<String, GpuUuid> into) {
    files.forEach(
        (minor, uuid) -> {
          if (uuid.equals(gpu)) {
            into.put(minor, uuid);
          }
        });
  }
}
