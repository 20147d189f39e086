package io.gpureclaimer.nvml.binding;

import jnr.ffi.Pointer;
import jnr.ffi.types.uintptr_t;

/** The functions of {@code libnvidia-ml} about sample buffers; see {@link LibNvml}. */
public interface SampleFunctions {

  /** {@code samples}: that many {@link NvmlSample}s, one after the other. */
  int nvmlDeviceGetSamples(
      @uintptr_t long device,
      int type,
      long lastSeenTimeStamp,
      Pointer sampleValType,
      Pointer sampleCount,
      Pointer samples);
}
