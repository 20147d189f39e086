package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlRowRemapperHistogramValues_t} of {@code nvml.h}. */
public final class NvmlRowRemapperHistogramValues extends Struct {
  public final Unsigned32 max = new Unsigned32();
  public final Unsigned32 high = new Unsigned32();
  public final Unsigned32 partial = new Unsigned32();
  public final Unsigned32 low = new Unsigned32();
  public final Unsigned32 none = new Unsigned32();

  public NvmlRowRemapperHistogramValues(Runtime runtime) {
    super(runtime);
  }
}
