package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.ComputeMode;
import io.gpureclaimer.nvml.NvmlResult;

/** Compute modes of GPUs in the driver, which a reset clears. */
public interface ComputeModes {

  /** The mode that a GPU is in. */
  NvmlResult<ComputeMode> of(GpuUuid gpu);

  /** Puts a GPU into a mode; needs root. */
  NvmlResult<Boolean> set(GpuUuid gpu, ComputeMode mode);
}
