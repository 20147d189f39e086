package io.gpureclaimer.common.device;

/**
 * Name of a device. Some names identify the GPU; the others need the list of the node's devices.
 */
public sealed interface DeviceName {

  /** A whole GPU, by its name for life: {@code GPU-…}. */
  record ByUuid(GpuUuid gpu) implements DeviceName {}

  /** A whole GPU, by the driver's index. */
  record ByIndex(int gpu) implements DeviceName {}

  /**
   * A whole GPU, by the number of its device file: {@code nvidia0} is {@code /dev/nvidia0}, which
   * the driver's first GPU need not be.
   */
  record ByFile(int minor) implements DeviceName {}

  /**
   * A MIG device, by a name that does not identify its GPU: {@code MIG-…}.
   *
   * @param uuid with its {@code MIG-}
   */
  record ByMigUuid(String uuid) implements DeviceName {}

  /**
   * A GPU instance of MIG, by the GPU and the number of the instance: {@code MIG-GPU-…/1/0}, as
   * drivers before 470 spell it; the compute instance is left out.
   */
  record InstanceByUuid(GpuUuid gpu, int instance) implements DeviceName {}

  /** The same, by the driver's index of the GPU. */
  record InstanceByIndex(int gpu, int instance) implements DeviceName {}

  /** The same, by the number of the GPU's device file: {@code nvidia0/gi1}. */
  record InstanceByFile(int minor, int instance) implements DeviceName {}
}
