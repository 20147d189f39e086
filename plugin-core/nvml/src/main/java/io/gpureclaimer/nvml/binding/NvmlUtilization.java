package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlUtilization_t} of {@code nvml.h}. */
public final class NvmlUtilization extends Struct {
  public final Unsigned32 gpu = new Unsigned32();
  public final Unsigned32 memory = new Unsigned32();

  public NvmlUtilization(Runtime runtime) {
    super(runtime);
  }
}
