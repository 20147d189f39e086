package io.gpureclaimer.nvml.binding;

import jnr.ffi.Pointer;
import jnr.ffi.types.uintptr_t;

/** The part of {@link LibNvml} that asks a whole GPU for single numbers and texts. */
public interface SensorFunctions {

  int nvmlSystemGetCudaDriverVersion_v2(Pointer version);

  int nvmlSystemGetConfComputeState(NvmlConfComputeSystemState state);

  int nvmlDeviceGetMaxClockInfo(@uintptr_t long device, int type, Pointer clock);

  int nvmlDeviceGetApplicationsClock(@uintptr_t long device, int type, Pointer clock);

  int nvmlDeviceGetCurrentClocksEventReasons(@uintptr_t long device, Pointer reasons);

  /** The same before driver 535. */
  int nvmlDeviceGetCurrentClocksThrottleReasons(@uintptr_t long device, Pointer reasons);

  int nvmlDeviceGetTemperatureThreshold(@uintptr_t long device, int type, Pointer temperature);

  int nvmlDeviceGetMarginTemperature(@uintptr_t long device, NvmlMarginTemperature margin);

  int nvmlDeviceGetPowerManagementLimit(@uintptr_t long device, Pointer limit);

  int nvmlDeviceGetPowerManagementLimitConstraints(
      @uintptr_t long device, Pointer minLimit, Pointer maxLimit);

  int nvmlDeviceGetPowerManagementDefaultLimit(@uintptr_t long device, Pointer limit);

  int nvmlDeviceGetEnforcedPowerLimit(@uintptr_t long device, Pointer limit);

  int nvmlDeviceGetPerformanceState(@uintptr_t long device, Pointer state);

  int nvmlDeviceGetFanSpeed(@uintptr_t long device, Pointer speed);

  /** From driver 535 on. */
  int nvmlDeviceGetJpgUtilization(
      @uintptr_t long device, Pointer utilization, Pointer samplingPeriodUs);

  /** From driver 535 on. */
  int nvmlDeviceGetOfaUtilization(
      @uintptr_t long device, Pointer utilization, Pointer samplingPeriodUs);

  int nvmlDeviceGetMaxPcieLinkGeneration(@uintptr_t long device, Pointer generation);

  int nvmlDeviceGetMaxPcieLinkWidth(@uintptr_t long device, Pointer width);

  int nvmlDeviceGetCurrPcieLinkGeneration(@uintptr_t long device, Pointer generation);

  int nvmlDeviceGetCurrPcieLinkWidth(@uintptr_t long device, Pointer width);

  int nvmlDeviceGetEccMode(@uintptr_t long device, Pointer current, Pointer pending);

  int nvmlDeviceGetMemoryErrorCounter(
      @uintptr_t long device, int errorType, int counterType, int location, Pointer count);

  int nvmlDeviceGetSramEccErrorStatus(@uintptr_t long device, NvmlEccSramErrorStatus status);

  int nvmlDeviceGetRowRemapperHistogram(
      @uintptr_t long device, NvmlRowRemapperHistogramValues values);

  /** {@code pageCount}: how many fit into {@code addresses}, and then how many there are. */
  int nvmlDeviceGetRetiredPages(
      @uintptr_t long device, int cause, Pointer pageCount, Pointer addresses);

  /** {@code status}: a struct of one number. */
  int nvmlDeviceGetUnrepairableMemoryFlag_v1(@uintptr_t long device, Pointer status);

  int nvmlDeviceGetBAR1MemoryInfo(@uintptr_t long device, NvmlBar1Memory memory);

  int nvmlDeviceGetNvLinkErrorCounter(@uintptr_t long device, int link, int counter, Pointer value);

  int nvmlDeviceGetComputeMode(@uintptr_t long device, Pointer mode);

  /** The only function here that changes something; needs root. */
  int nvmlDeviceSetComputeMode(@uintptr_t long device, int mode);

  int nvmlDeviceGetMinorNumber(@uintptr_t long device, Pointer minorNumber);

  int nvmlDeviceGetPersistenceMode(@uintptr_t long device, Pointer mode);

  int nvmlDeviceGetCudaComputeCapability(@uintptr_t long device, Pointer major, Pointer minor);

  /** The {@code version} of the struct says which of its versions is filled. */
  int nvmlDeviceGetGpuFabricInfoV(@uintptr_t long device, NvmlGpuFabricInfo info);

  /** {@code info}: the first version of the struct, without a {@code version}. */
  int nvmlDeviceGetGpuFabricInfo(@uintptr_t long device, Pointer info);

  /** The struct's {@code version} must be known to the library. */
  int nvmlDeviceGetPlatformInfo(@uintptr_t long device, NvmlPlatformInfo info);

  int nvmlDeviceGetVirtualizationMode(@uintptr_t long device, Pointer mode);

  int nvmlDeviceGetBrand(@uintptr_t long device, Pointer brand);

  int nvmlDeviceGetSerial(@uintptr_t long device, Pointer serial, int length);

  int nvmlDeviceGetInforomVersion(@uintptr_t long device, int object, Pointer version, int length);

  int nvmlDeviceGetInforomImageVersion(@uintptr_t long device, Pointer version, int length);

  /** Answers {@code NVML_ERROR_CORRUPTED_INFOROM} where a checksum is wrong. */
  int nvmlDeviceValidateInforom(@uintptr_t long device);

  int nvmlDeviceGetInforomConfigurationChecksum(@uintptr_t long device, Pointer checksum);

  int nvmlDeviceGetVbiosVersion(@uintptr_t long device, Pointer version, int length);
}
