package io.gpureclaimer.nvml.binding;

import jnr.ffi.Pointer;
import jnr.ffi.types.uintptr_t;

/** The functions of {@code libnvidia-ml} about MIG; see {@link LibNvml}. */
public interface MigFunctions {

  int nvmlDeviceGetMigMode(@uintptr_t long device, Pointer currentMode, Pointer pendingMode);

  int nvmlDeviceGetMaxMigDeviceCount(@uintptr_t long device, Pointer count);

  int nvmlDeviceGetMigDeviceHandleByIndex(@uintptr_t long device, int index, Pointer migDevice);

  int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(@uintptr_t long migDevice, Pointer device);

  int nvmlDeviceGetGpuInstanceId(@uintptr_t long migDevice, Pointer id);

  int nvmlDeviceGetComputeInstanceId(@uintptr_t long migDevice, Pointer id);

  int nvmlDeviceGetAttributes_v2(@uintptr_t long migDevice, NvmlDeviceAttributes attributes);

  int nvmlDeviceGetAttributes(@uintptr_t long migDevice, NvmlDeviceAttributes attributes);
}
