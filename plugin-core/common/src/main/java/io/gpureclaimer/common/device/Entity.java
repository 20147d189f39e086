package io.gpureclaimer.common.device;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A device that can be allocated and measured by itself: a whole GPU, or a MIG instance.
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

  /**
   * As a record's, but by hand: every map of a pass has this for its key, and the client compiler,
   * which an agent runs on, makes a chain of calls of what a record brings.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Entity(var otherGpu, var otherInstance)
        && gpu.value().equals(otherGpu.value())
        && Objects.equals(instance, otherInstance);
  }

  @Override
  public int hashCode() {
    return 31 * gpu.value().hashCode() + (instance == null ? 0 : instance + 1);
  }

  @Override
  public String toString() {
    return instance == null ? gpu.value() : gpu.value() + "/gi" + instance;
  }
}
