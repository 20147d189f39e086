package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlEccSramErrorStatus;
import io.gpureclaimer.nvml.binding.NvmlMarginTemperature;
import jnr.ffi.Struct;

/** The calls behind {@link DeviceNumbers} that answer several numbers at once. */
final class DeviceStructs {
  static final NvmlQuery.DriverCall POWER_CONSTRAINTS = DeviceStructs::readPowerConstraints;
  static final NvmlQuery.DriverCall ECC_MODE = DeviceStructs::readEccMode;
  static final NvmlQuery.DriverCall HISTOGRAM = DeviceStructs::readHistogram;
  static final NvmlQuery.DriverCall BAR1 = DeviceStructs::readBar1;
  static final NvmlQuery.DriverCall PCI_IDS = DeviceStructs::readPciIds;

  static int readMargin(LibNvml lib, long device, CallMemory out) {
    out.margin.version.set(NvmlMarginTemperature.structVersion(out.margin));
    return lib.nvmlDeviceGetMarginTemperature(device, out.margin);
  }

  static int readSram(LibNvml lib, long device, CallMemory out) {
    out.sram.version.set(NvmlEccSramErrorStatus.structVersion(out.sram));
    return ifIntsAvailable(
        lib.nvmlDeviceGetSramEccErrorStatus(device, out.sram), out.sram.bThresholdExceeded);
  }

  private static int readPowerConstraints(LibNvml lib, long device, CallMemory out) {
    return out.ifIntsAvailable(
        lib.nvmlDeviceGetPowerManagementLimitConstraints(
            device, out.freshScalar(0), out.freshScalar(1)),
        0,
        1);
  }

  private static int readEccMode(LibNvml lib, long device, CallMemory out) {
    return out.ifIntsAvailable(
        lib.nvmlDeviceGetEccMode(device, out.freshScalar(0), out.freshScalar(1)), 0, 1);
  }

  private static int readHistogram(LibNvml lib, long device, CallMemory out) {
    return ifIntsAvailable(
        lib.nvmlDeviceGetRowRemapperHistogram(device, out.remapper),
        out.remapper.max,
        out.remapper.high,
        out.remapper.partial,
        out.remapper.low,
        out.remapper.none);
  }

  private static int readBar1(LibNvml lib, long device, CallMemory out) {
    return ifLongsAvailable(
        lib.nvmlDeviceGetBAR1MemoryInfo(device, out.bar1),
        out.bar1.bar1Total,
        out.bar1.bar1Free,
        out.bar1.bar1Used);
  }

  private static int readPciIds(LibNvml lib, long device, CallMemory out) {
    return ifIntsAvailable(
        PciBusId.NEWEST.on(lib, device, out), out.pci.pciDeviceId, out.pci.pciSubSystemId);
  }

  /** A driver may say in the value, not in the code, that it has none: all bits are then set. */
  private static int ifIntsAvailable(int code, Struct.Unsigned32... values) {
    for (Struct.Unsigned32 value : values) {
      if (code == NVML_SUCCESS && value.intValue() == NVML_VALUE_NOT_AVAILABLE) {
        return NVML_ERROR_NOT_SUPPORTED;
      }
    }
    return code;
  }

  /** As {@link #ifIntsAvailable}, of 64 bits. */
  static int ifLongsAvailable(int code, Struct.Unsigned64... values) {
    for (Struct.Unsigned64 value : values) {
      if (code == NVML_SUCCESS && value.get() == NVML_VALUE_NOT_AVAILABLE) {
        return NVML_ERROR_NOT_SUPPORTED;
      }
    }
    return code;
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
