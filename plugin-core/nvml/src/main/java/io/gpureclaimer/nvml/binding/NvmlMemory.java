package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlMemory_t} of {@code nvml.h}. */
public final class NvmlMemory extends Struct {
  public final Unsigned64 total = new Unsigned64();
  public final Unsigned64 free = new Unsigned64();
  public final Unsigned64 used = new Unsigned64();

  public NvmlMemory(Runtime runtime) {
    super(runtime);
  }
}
