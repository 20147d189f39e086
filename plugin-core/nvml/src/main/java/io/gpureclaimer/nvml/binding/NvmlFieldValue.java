package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlFieldValue_t} of {@code nvml.h}. */
public final class NvmlFieldValue extends Struct {
  public final Unsigned32 fieldId = new Unsigned32();
  public final Unsigned32 scopeId = new Unsigned32();
  public final Signed64 timestamp = new Signed64();
  public final Signed64 latencyUsec = new Signed64();
  public final Signed32 valueType = new Signed32();
  public final Signed32 nvmlReturn = new Signed32();
  public final NvmlValue value = inner(new NvmlValue(getRuntime()));

  public NvmlFieldValue(Runtime runtime) {
    super(runtime);
  }
}
