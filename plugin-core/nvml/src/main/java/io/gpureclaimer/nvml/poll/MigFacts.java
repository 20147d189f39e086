package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.MigSize;
import org.jspecify.annotations.Nullable;

/**
 * One MIG device: a compute instance in a GPU instance.
 *
 * @param uuid {@code MIG-…}
 * @param gpuInstance the id of the GPU instance in its GPU
 * @param computeInstance the id of the compute instance in that
 * @param profile as NVIDIA spells it, such as {@code 1g.10gb}, {@code 1g.10gb+me}, {@code
 *     1c.2g.20gb}
 * @param gpuInstanceCap the minor number of {@code /dev/nvidia-caps/nvidia-cap…} that opens the GPU
 *     instance; null if the kernel does not report it
 * @param computeInstanceCap the same of the compute instance
 * @param size null if not reported
 */
public record MigFacts(
    String uuid,
    int gpuInstance,
    int computeInstance,
    String profile,
    @Nullable Integer gpuInstanceCap,
    @Nullable Integer computeInstanceCap,
    @Nullable MigSize size) {

  /** Whether it is all of its GPU instance: only such devices have a resource of their own. */
  public boolean isWholeInstance() {
    return !profile.matches("[0-9]+c\\..*");
  }
}
