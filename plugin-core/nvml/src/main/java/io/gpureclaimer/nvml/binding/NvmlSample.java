package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlSample_t} of {@code nvml.h}. */
public final class NvmlSample extends Struct {
  public final Unsigned64 timeStamp = new Unsigned64();
  public final NvmlValue sampleValue = inner(new NvmlValue(getRuntime()));

  public NvmlSample(Runtime runtime) {
    super(runtime);
  }
}
