package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Gpu;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What does not change about a GPU while nobody divides, moves or reloads it.
 *
 * @param gpu which one, and where it sits
 * @param minor the number of its device file, {@code /dev/nvidia0}; not always its index
 * @param numaNode the NUMA node that its PCI device is on; null where the kernel tells none
 * @param memoryBytes its whole memory; null if not told
 * @param capability its CUDA compute capability; null if not told
 * @param mig whether MIG divides it
 * @param instances its MIG devices, in the driver's order; empty while MIG is off
 * @param fabric the NVLink fabric that it is a part of; null if of none, or not told
 * @param recovery what the driver wants done before the GPU is used again; null if not told
 * @param virtual whether it is a vGPU, a share that a hypervisor gives out; null if not told
 */
public record GpuFacts(
    Gpu gpu,
    int minor,
    @Nullable Integer numaNode,
    @Nullable Long memoryBytes,
    @Nullable ComputeCapability capability,
    MigMode mig,
    List<MigFacts> instances,
    @Nullable FabricPlace fabric,
    @Nullable RecoveryAction recovery,
    @Nullable Boolean virtual) {
  public GpuFacts {
    instances = List.copyOf(instances);
    if (minor < 0) {
      throw new IllegalArgumentException("a GPU's minor number must not be negative, was " + minor);
    }
    if (mig != MigMode.ON && !instances.isEmpty()) {
      throw new IllegalArgumentException(
          "a GPU without MIG has no instances, was told " + instances);
    }
  }

  /** Whether MIG divides it, even with no instance. */
  public boolean migOn() {
    return mig == MigMode.ON;
  }
}
