package io.gpureclaimer.nvml.binding;

import jnr.ffi.Pointer;
import jnr.ffi.types.uintptr_t;

/**
 * The functions of {@code libnvidia-ml} that we call, under their C names; each answers an {@code
 * nvmlReturn_t}.
 *
 * <p>A device is the driver's {@code nvmlDevice_t} as a number. Every pointer and struct must lie
 * in direct memory: the driver writes into it. A function that the loaded library lacks throws
 * {@link UnsatisfiedLinkError} when it is called, not before.
 *
 * <p>No function may take more than six arguments, and six only with the compiler of call stubs in
 * jnr-ffi 2.3.4 switched off: it passes a sixth one wrong on x86-64.
 */
public interface LibNvml
    extends SensorFunctions,
        GpmFunctions,
        MigFunctions,
        EventFunctions,
        ProcessFunctions,
        SampleFunctions,
        PeerFunctions {

  int nvmlInit_v2();

  int nvmlInit();

  int nvmlShutdown();

  int nvmlSystemGetDriverVersion(Pointer version, int length);

  int nvmlSystemGetNVMLVersion(Pointer version, int length);

  int nvmlDeviceGetCount_v2(Pointer deviceCount);

  int nvmlDeviceGetCount(Pointer deviceCount);

  int nvmlDeviceGetHandleByIndex_v2(int index, Pointer device);

  int nvmlDeviceGetHandleByIndex(int index, Pointer device);

  int nvmlDeviceGetUUID(@uintptr_t long device, Pointer uuid, int length);

  int nvmlDeviceGetName(@uintptr_t long device, Pointer name, int length);

  int nvmlDeviceGetPciInfo_v3(@uintptr_t long device, NvmlPciInfo pci);

  int nvmlDeviceGetPciInfo_v2(@uintptr_t long device, NvmlPciInfo pci);

  int nvmlDeviceGetPciInfo(@uintptr_t long device, NvmlPciInfo pci);

  int nvmlDeviceGetClockInfo(@uintptr_t long device, int type, Pointer clock);

  int nvmlDeviceGetTemperature(@uintptr_t long device, int sensorType, Pointer temperature);

  int nvmlDeviceGetPowerUsage(@uintptr_t long device, Pointer power);

  int nvmlDeviceGetPcieReplayCounter(@uintptr_t long device, Pointer value);

  int nvmlDeviceGetUtilizationRates(@uintptr_t long device, NvmlUtilization utilization);

  int nvmlDeviceGetEncoderUtilization(
      @uintptr_t long device, Pointer utilization, Pointer samplingPeriodUs);

  int nvmlDeviceGetDecoderUtilization(
      @uintptr_t long device, Pointer utilization, Pointer samplingPeriodUs);

  int nvmlDeviceGetMemoryInfo_v2(@uintptr_t long device, NvmlMemoryV2 memory);

  int nvmlDeviceGetMemoryInfo(@uintptr_t long device, NvmlMemory memory);

  /** {@code values}: that many {@link NvmlFieldValue}s, one after the other. */
  int nvmlDeviceGetFieldValues(@uintptr_t long device, int valuesCount, Pointer values);

  int nvmlDeviceGetGridLicensableFeatures_v4(
      @uintptr_t long device, NvmlGridLicensableFeatures features);
}
