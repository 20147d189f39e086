package io.gpureclaimer.nvml.binding;

import jnr.ffi.Pointer;
import jnr.ffi.types.uintptr_t;

/** The functions of {@code libnvidia-ml} about events; see {@link LibNvml}. */
public interface EventFunctions {

  int nvmlEventSetCreate(Pointer set);

  int nvmlDeviceGetSupportedEventTypes(@uintptr_t long device, Pointer eventTypes);

  int nvmlDeviceRegisterEvents(@uintptr_t long device, long eventTypes, @uintptr_t long set);

  int nvmlEventSetWait_v2(@uintptr_t long set, NvmlEventData data, int timeoutms);

  /** Fills all of {@code data} but the instances. */
  int nvmlEventSetWait(@uintptr_t long set, NvmlEventData data, int timeoutms);

  int nvmlEventSetFree(@uintptr_t long set);
}
