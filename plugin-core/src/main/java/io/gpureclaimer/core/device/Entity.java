package io.gpureclaimer.core.device;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What can be held and measured by itself: a whole GPU, or an instance of one that MIG has divided.
 *
 * @param gpu the GPU, or the one that the instance is a part of
 * @param instance the id of the GPU instance; null for the whole GPU
 */
public record Entity(GpuUuid gpu, @Nullable Integer instance) {
  public Entity {
    if (instance != null && instance < 0) {
      throw new IllegalArgumentException(
          "the id of a GPU instance must not be negative, was " + instance);
    }
  }

  /** The GPU as a whole. */
  public static Entity whole(GpuUuid gpu) {
    return new Entity(gpu, null);
  }

  /** A part of it. */
  public static Entity instance(GpuUuid gpu, int id) {
    return new Entity(gpu, id);
  }

  /** The id of the GPU instance; empty for the whole GPU. */
  public Optional<Integer> instanceId() {
    return Optional.ofNullable(instance);
  }

  @Override
  public String toString() {
    return instance == null ? gpu.value() : gpu.value() + "/gi" + instance;
  }
}
