package io.gpureclaimer.core.nvml;

import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;

import io.gpureclaimer.core.nvml.binding.LibNvml;
import io.gpureclaimer.core.nvml.binding.NvmlEccSramErrorStatus;
import io.gpureclaimer.core.nvml.binding.NvmlMarginTemperature;

/** The calls behind {@link DeviceNumbers} that answer several numbers at once. */
final class DeviceStructs {
  static final Question.Call POWER_CONSTRAINTS = DeviceStructs::askPowerConstraints;
  static final Question.Call ECC_MODE = DeviceStructs::askEccMode;
  static final Question.Call HISTOGRAM = DeviceStructs::askHistogram;
  static final Question.Call BAR1 = DeviceStructs::askBar1;

  static int askMargin(LibNvml lib, long device, OutMemory out) {
    out.margin.version.set(NvmlMarginTemperature.structVersion(out.margin));
    return lib.nvmlDeviceGetMarginTemperature(device, out.margin);
  }

  static int askSram(LibNvml lib, long device, OutMemory out) {
    out.sram.version.set(NvmlEccSramErrorStatus.structVersion(out.sram));
    return lib.nvmlDeviceGetSramEccErrorStatus(device, out.sram);
  }

  private static int askPowerConstraints(LibNvml lib, long device, OutMemory out) {
    return out.ifIntsAvailable(
        lib.nvmlDeviceGetPowerManagementLimitConstraints(
            device, out.freshScalar(0), out.freshScalar(1)),
        0,
        1);
  }

  private static int askEccMode(LibNvml lib, long device, OutMemory out) {
    return lib.nvmlDeviceGetEccMode(device, out.freshScalar(0), out.freshScalar(1));
  }

  private static int askHistogram(LibNvml lib, long device, OutMemory out) {
    return lib.nvmlDeviceGetRowRemapperHistogram(device, out.remapper);
  }

  private static int askBar1(LibNvml lib, long device, OutMemory out) {
    return lib.nvmlDeviceGetBAR1MemoryInfo(device, out.bar1);
  }

  /** A place or link that this board does not have is an invalid argument to some drivers. */
  static int unknownIsUnsupported(int code) {
    return code == NVML_ERROR_INVALID_ARGUMENT ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  /** Whether the library may not know that version of a struct. */
  static boolean isAboutTheVersion(int code) {
    return code == NVML_ERROR_ARGUMENT_VERSION_MISMATCH || code == NVML_ERROR_INVALID_ARGUMENT;
  }

  private DeviceStructs() {}
}
