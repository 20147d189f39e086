package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.mps.ComputeModes;
import io.gpureclaimer.nvml.ComputeMode;
import io.gpureclaimer.nvml.NvmlResult;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Compute modes that are remembered, and begin as DEFAULT. */
final class InMemoryComputeModes implements ComputeModes {
  final Map<GpuUuid, ComputeMode> modes = new ConcurrentHashMap<>();

  @Override
  public NvmlResult<ComputeMode> of(GpuUuid gpu) {
    return new NvmlResult.Value<>(modes.getOrDefault(gpu, ComputeMode.DEFAULT));
  }

  @Override
  public NvmlResult<Boolean> set(GpuUuid gpu, ComputeMode mode) {
    modes.put(gpu, mode);
    return new NvmlResult.Value<>(true);
  }
}
