package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A resource whose GPUs are shared through one MPS daemon, in equal parts.
 *
 * @param resource its name, such as {@code nvidia.com/gpu}
 * @param gpus at least one
 */
public record MpsShare(String resource, List<SharedGpu> gpus) {
  public MpsShare {
    gpus = List.copyOf(gpus);
    if (gpus.isEmpty()) {
      throw new IllegalArgumentException("a shared resource has a GPU: " + resource);
    }
  }

  /**
   * One of its GPUs.
   *
   * @param uuid which one
   * @param replicas how many may use it at once
   * @param memoryBytes its whole memory; null if unknown
   */
  public record SharedGpu(GpuUuid uuid, int replicas, @Nullable Long memoryBytes) {
    private static final long BYTES_PER_MIB = 1L << 20;

    public SharedGpu {
      if (replicas < 1) {
        throw new IllegalArgumentException("a GPU has at least one replica, was " + replicas);
      }
    }

    /** The memory that each may use, in MiB; empty if the GPU's is not known. */
    Optional<Long> memoryLimitMib() {
      return Optional.ofNullable(memoryBytes).map(bytes -> bytes / replicas / BYTES_PER_MIB);
    }
  }

  List<GpuUuid> uuids() {
    return gpus.stream().map(SharedGpu::uuid).toList();
  }

  /**
   * The part of a GPU's multiprocessors that each may use, in percent. A daemon knows one for all
   * its GPUs: that of the one with the most replicas.
   */
  int threadPercentage() {
    int most = gpus.stream().mapToInt(SharedGpu::replicas).max().orElseThrow();
    return Math.max(1, 100 / most);
  }
}
