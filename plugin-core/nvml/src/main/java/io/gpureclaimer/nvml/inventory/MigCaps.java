package io.gpureclaimer.nvml.inventory;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which {@code /dev/nvidia-caps/nvidia-cap…} opens which MIG instance: the kernel's {@code
 * mig-minors}.
 *
 * @param minors by instance
 */
record MigCaps(Map<Instance, Integer> minors) {
  static final int WHOLE_INSTANCE = -1;

  MigCaps {
    minors = Map.copyOf(minors);
  }

  /**
   * One of them.
   *
   * @param gpu the GPU's minor number
   * @param gpuInstance its id in the GPU
   * @param computeInstance its id in that; {@link #WHOLE_INSTANCE} for the GPU instance itself
   */
  record Instance(int gpu, int gpuInstance, int computeInstance) {}

  @Nullable Integer of(int gpu, int gpuInstance) {
    return minors.get(new Instance(gpu, gpuInstance, WHOLE_INSTANCE));
  }

  @Nullable Integer of(int gpu, int gpuInstance, int computeInstance) {
    return minors.get(new Instance(gpu, gpuInstance, computeInstance));
  }
}
