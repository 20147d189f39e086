package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlMarginTemperature_v1_t} of {@code nvml.h}. */
public final class NvmlMarginTemperature extends Struct {
  private static final int NVML_STRUCT_VERSION_SHIFT = 24;

  public final Unsigned32 version = new Unsigned32();
  public final Signed32 marginTemperature = new Signed32();

  public NvmlMarginTemperature(Runtime runtime) {
    super(runtime);
  }

  /** What {@code version} must hold before a call. */
  public static long structVersion(NvmlMarginTemperature struct) {
    return size(struct) | (1L << NVML_STRUCT_VERSION_SHIFT);
  }
}
