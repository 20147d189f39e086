package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlProcessInfo_v2_t} of {@code nvml.h}. */
public final class NvmlProcessInfo extends Struct {
  public final Unsigned32 pid = new Unsigned32();
  public final Unsigned64 usedGpuMemory = new Unsigned64();
  public final Unsigned32 gpuInstanceId = new Unsigned32();
  public final Unsigned32 computeInstanceId = new Unsigned32();

  public NvmlProcessInfo(Runtime runtime) {
    super(runtime);
  }
}
