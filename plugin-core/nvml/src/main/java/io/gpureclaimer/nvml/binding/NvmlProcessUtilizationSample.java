package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlProcessUtilizationSample_t} of {@code nvml.h}. */
public final class NvmlProcessUtilizationSample extends Struct {
  public final Unsigned32 pid = new Unsigned32();
  public final Unsigned64 timeStamp = new Unsigned64();
  public final Unsigned32 smUtil = new Unsigned32();
  public final Unsigned32 memUtil = new Unsigned32();
  public final Unsigned32 encUtil = new Unsigned32();
  public final Unsigned32 decUtil = new Unsigned32();

  public NvmlProcessUtilizationSample(Runtime runtime) {
    super(runtime);
  }
}
