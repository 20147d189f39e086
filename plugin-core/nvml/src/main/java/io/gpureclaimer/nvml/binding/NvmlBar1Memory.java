package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlBAR1Memory_t} of {@code nvml.h}. */
public final class NvmlBar1Memory extends Struct {
  public final Unsigned64 bar1Total = new Unsigned64();
  public final Unsigned64 bar1Free = new Unsigned64();
  public final Unsigned64 bar1Used = new Unsigned64();

  public NvmlBar1Memory(Runtime runtime) {
    super(runtime);
  }
}
