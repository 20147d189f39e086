package io.gpureclaimer.deviceplugin.allocation;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Where the driver has a device in its list.
 *
 * @param gpu the index of the GPU
 * @param mig the position of the MIG device in it; null for the whole GPU
 */
public record DeviceIndex(int gpu, @Nullable Integer mig) implements Comparable<DeviceIndex> {
  private static final Comparator<DeviceIndex> ORDER =
      Comparator.comparingInt(DeviceIndex::gpu)
          .thenComparing(
              DeviceIndex::mig, Comparator.nullsFirst(Comparator.<Integer>naturalOrder()));

  @Override
  public int compareTo(DeviceIndex other) {
    return ORDER.compare(this, other);
  }

  /** As NVIDIA's runtime takes it: {@code 3}, of a MIG device {@code 3:1}. */
  @Override
  public String toString() {
    return mig == null ? Integer.toString(gpu) : gpu + ":" + mig;
  }
}
