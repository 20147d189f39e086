package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlConfComputeSystemState_t} of {@code nvml.h}. */
public final class NvmlConfComputeSystemState extends Struct {
  public final Unsigned32 environment = new Unsigned32();
  public final Unsigned32 ccFeature = new Unsigned32();
  public final Unsigned32 devToolsMode = new Unsigned32();

  public NvmlConfComputeSystemState(Runtime runtime) {
    super(runtime);
  }
}
