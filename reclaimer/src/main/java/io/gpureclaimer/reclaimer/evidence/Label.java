package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a sample says of the device that it is about, as it is labeled.
 *
 * @param uuid of the GPU
 * @param instance the id of the GPU instance; none or nothing for a whole GPU
 */
public record Label(@Nullable String uuid, @Nullable String instance) {
  static final Comparator<Entity> ORDER =
      Comparator.comparing((Entity entity) -> entity.gpu().value())
          .thenComparing(entity -> entity.instanceId().orElse(-1));

  /** A whole GPU. */
  public static Label whole(@Nullable String uuid) {
    return new Label(uuid, null);
  }

  /** The device; empty if these labels name none. */
  public Optional<Entity> device() {
    if (uuid == null || uuid.isBlank()) {
      return Optional.empty();
    }
    var gpu = new GpuUuid(uuid);
    if (instance == null || instance.isEmpty()) {
      return Optional.of(Entity.whole(gpu));
    }
    return instance.matches("\\d{1,6}")
        ? Optional.of(Entity.instance(gpu, Integer.parseInt(instance)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "UUID "
        + uuid
        + (instance == null || instance.isEmpty() ? "" : ", GPU_I_ID " + instance);
  }
}
