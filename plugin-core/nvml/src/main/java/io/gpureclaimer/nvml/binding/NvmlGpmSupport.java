package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlGpmSupport_t} of {@code nvml.h}. */
public final class NvmlGpmSupport extends Struct {
  /** What {@code version} must hold before a call. */
  public static final int VERSION = 1;

  public final Unsigned32 version = new Unsigned32();
  public final Unsigned32 isSupportedDevice = new Unsigned32();

  public NvmlGpmSupport(Runtime runtime) {
    super(runtime);
  }
}
