package io.gpureclaimer.core.mps;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.nvml.ComputeMode;
import io.gpureclaimer.core.nvml.NvmlResult;

/** Who may use each GPU, as the driver holds it; it forgets when the GPU is reset. */
public interface ComputeModes {

  /** The mode that a GPU is in. */
  NvmlResult<ComputeMode> of(GpuUuid gpu);

  /** Puts a GPU into a mode; needs root. */
  NvmlResult<Boolean> set(GpuUuid gpu, ComputeMode mode);
}
