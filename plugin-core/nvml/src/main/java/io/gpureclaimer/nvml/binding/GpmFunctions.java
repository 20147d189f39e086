package io.gpureclaimer.nvml.binding;

import jnr.ffi.Pointer;
import jnr.ffi.types.uintptr_t;

/**
 * The part of {@link LibNvml} that measures a GPU between two samples (Hopper and newer). A sample
 * is the library's own memory, known to us as a number.
 */
public interface GpmFunctions {

  int nvmlGpmQueryDeviceSupport(@uintptr_t long device, NvmlGpmSupport support);

  int nvmlGpmSampleAlloc(Pointer sample);

  int nvmlGpmSampleFree(@uintptr_t long sample);

  int nvmlGpmSampleGet(@uintptr_t long device, @uintptr_t long sample);

  int nvmlGpmMigSampleGet(@uintptr_t long device, int gpuInstanceId, @uintptr_t long sample);

  /** {@code metrics}: the memory of an {@link NvmlGpmMetrics}. */
  int nvmlGpmMetricsGet(Pointer metrics);
}
