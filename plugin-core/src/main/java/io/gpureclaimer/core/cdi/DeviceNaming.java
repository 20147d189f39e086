package io.gpureclaimer.core.cdi;

import io.gpureclaimer.core.inventory.GpuFacts;

/** What devices are called in a specification; as NVIDIA's tools call them. */
public enum DeviceNaming {
  /** {@code GPU-…} and {@code MIG-…}: the same for the life of the device. */
  UUID,
  /** {@code 0} and {@code 0:1}: may mean another device when the driver is loaded again. */
  INDEX;

  /** The name of a whole GPU. */
  public String of(GpuFacts gpu) {
    return switch (this) {
      case UUID -> gpu.gpu().uuid().value();
      case INDEX -> Integer.toString(gpu.gpu().index());
    };
  }

  /**
   * The name of a MIG device; not always one that CDI accepts.
   *
   * @param gpu what it is a part of
   * @param position its place among the instances of that, from zero
   */
  public String of(GpuFacts gpu, int position) {
    return switch (this) {
      case UUID -> gpu.instances().get(position).uuid();
      case INDEX -> gpu.gpu().index() + ":" + position;
    };
  }
}
