package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlDeviceAttributes_t} of {@code nvml.h}. */
public final class NvmlDeviceAttributes extends Struct {
  public final Unsigned32 multiprocessorCount = new Unsigned32();
  public final Unsigned32 sharedCopyEngineCount = new Unsigned32();
  public final Unsigned32 sharedDecoderCount = new Unsigned32();
  public final Unsigned32 sharedEncoderCount = new Unsigned32();
  public final Unsigned32 sharedJpegCount = new Unsigned32();
  public final Unsigned32 sharedOfaCount = new Unsigned32();
  public final Unsigned32 gpuInstanceSliceCount = new Unsigned32();
  public final Unsigned32 computeInstanceSliceCount = new Unsigned32();
  public final Unsigned64 memorySizeMB = new Unsigned64();

  public NvmlDeviceAttributes(Runtime runtime) {
    super(runtime);
  }
}
