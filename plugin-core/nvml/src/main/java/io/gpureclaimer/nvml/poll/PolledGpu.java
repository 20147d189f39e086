package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import java.util.List;

/**
 * One GPU of an open session. The same object as long as its identity and handle stay the same.
 *
 * @param nvml the session
 * @param handle of the GPU in that session
 * @param gpu identity
 */
public record PolledGpu(Nvml nvml, GpuHandle handle, Gpu gpu) {

  /**
   * One instance of a GPU in MIG mode.
   *
   * @param handle of the first MIG device in it; void once the GPU is partitioned again
   * @param instance which part of the GPU
   */
  public record Instance(GpuHandle handle, MigInstance instance) {}

  /**
   * MIG layout of the GPU.
   *
   * @param instances those that the driver describes, in order of their ids
   * @param isWhole whether the driver reports that the GPU has no instances
   */
  public record Layout(List<Instance> instances, boolean isWhole) {
    public Layout {
      instances = List.copyOf(instances);
    }
  }
}
