package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.ComputeMode;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlReturn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compute modes as a driver keeps them; GPUs can be lost. */
final class FakeComputeModes implements ComputeModes {
  final Map<GpuUuid, ComputeMode> modes = new HashMap<>();
  final Set<GpuUuid> lost = new HashSet<>();
  final List<String> calls = new ArrayList<>();

  @Override
  public NvmlResult<ComputeMode> of(GpuUuid gpu) {
    return lost.contains(gpu)
        ? new NvmlResult.Failed<>(NvmlReturn.GPU_IS_LOST, 15)
        : new NvmlResult.Value<>(modes.getOrDefault(gpu, ComputeMode.DEFAULT));
  }

  @Override
  public NvmlResult<Boolean> set(GpuUuid gpu, ComputeMode mode) {
    if (lost.contains(gpu)) {
      return new NvmlResult.Failed<>(NvmlReturn.GPU_IS_LOST, 15);
    }
    modes.put(gpu, mode);
    calls.add(gpu + " " + mode);
    return new NvmlResult.Value<>(true);
  }
}
