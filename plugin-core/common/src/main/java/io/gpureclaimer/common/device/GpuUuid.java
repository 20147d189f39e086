package io.gpureclaimer.common.device;

/**
 * Permanent name of a GPU, as the driver spells it: {@code GPU-} and a UUID.
 *
 * @param value never blank
 */
public record GpuUuid(String value) {
  public GpuUuid {
    if (value.isBlank()) {
      throw new IllegalArgumentException("a GPU's UUID must not be blank");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
