package io.gpureclaimer.common.device;

import java.util.List;

/**
 * A GPU instance: a part of a GPU with memory and engines of its own.
 *
 * @param parent the GPU that it is a part of
 * @param id the driver's id of the GPU instance, unique within the parent
 * @param profile its size, as {@code 1g.10gb}; never blank
 * @param uuids the {@code MIG-…} names of the devices in it, one for each compute instance
 */
public record MigInstance(GpuUuid parent, int id, String profile, List<String> uuids) {
  public MigInstance {
    uuids = List.copyOf(uuids);
    if (id < 0) {
      throw new IllegalArgumentException(
          "the id of a GPU instance must not be negative, was " + id);
    }
    if (profile.isBlank()) {
      throw new IllegalArgumentException("the profile of a GPU instance must not be blank");
    }
  }

  /** The instance, as something that can be held. */
  public Entity entity() {
    return Entity.instance(parent, id);
  }
}
