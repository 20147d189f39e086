package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlMemory_v2_t} of {@code nvml.h}. */
public final class NvmlMemoryV2 extends Struct {
  private static final int NVML_STRUCT_VERSION_SHIFT = 24;

  public final Unsigned32 version = new Unsigned32();
  public final Unsigned64 total = new Unsigned64();
  public final Unsigned64 reserved = new Unsigned64();
  public final Unsigned64 free = new Unsigned64();
  public final Unsigned64 used = new Unsigned64();

  public NvmlMemoryV2(Runtime runtime) {
    super(runtime);
  }

  /** {@code NVML_STRUCT_VERSION(Memory, 2)}: what {@code version} must hold before a call. */
  public static long structVersion(NvmlMemoryV2 memory) {
    return size(memory) | (2L << NVML_STRUCT_VERSION_SHIFT);
  }
}
