package io.gpureclaimer.nvml.binding;

import jnr.ffi.Pointer;
import jnr.ffi.types.uintptr_t;

/**
 * The functions of {@code libnvidia-ml} about processes; see {@link LibNvml}. {@code infos} and
 * {@code samples} are that many structs, one after the other: the count says how many fit, and then
 * how many there are.
 */
public interface ProcessFunctions {

  int nvmlDeviceGetComputeRunningProcesses_v3(
      @uintptr_t long device, Pointer infoCount, Pointer infos);

  int nvmlDeviceGetComputeRunningProcesses_v2(
      @uintptr_t long device, Pointer infoCount, Pointer infos);

  int nvmlDeviceGetGraphicsRunningProcesses_v3(
      @uintptr_t long device, Pointer infoCount, Pointer infos);

  int nvmlDeviceGetGraphicsRunningProcesses_v2(
      @uintptr_t long device, Pointer infoCount, Pointer infos);

  int nvmlDeviceGetMPSComputeRunningProcesses_v3(
      @uintptr_t long device, Pointer infoCount, Pointer infos);

  int nvmlDeviceGetMPSComputeRunningProcesses_v2(
      @uintptr_t long device, Pointer infoCount, Pointer infos);

  int nvmlDeviceGetProcessUtilization(
      @uintptr_t long device, Pointer samples, Pointer samplesCount, long lastSeenTimeStamp);
}
