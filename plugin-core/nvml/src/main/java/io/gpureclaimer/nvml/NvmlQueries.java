package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_MEM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_SM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_NAME_V2_BUFFER_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_UUID_V2_BUFFER_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_GRID_LICENSE_FEATURE_CODE_VGPU;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_GPU;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.Nvml.Utilization;
import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlGridLicensableFeature;
import io.gpureclaimer.nvml.binding.NvmlGridLicensableFeatures;
import io.gpureclaimer.nvml.binding.NvmlMemory;
import io.gpureclaimer.nvml.binding.NvmlMemoryV2;
import io.gpureclaimer.nvml.binding.NvmlUtilization;
import java.util.List;
import java.util.OptionalLong;

/** Queries of the driver. */
final class NvmlQueries {
  private static final long HOTTEST_CELSIUS = 200;

  static final NvmlQuery<GpuUuid> UUID =
      new NvmlQuery<>(
          "nvmlDeviceGetUUID",
          (lib, device, out) ->
              out.textCode(
                  lib.nvmlDeviceGetUUID(device, out.freshText(), NVML_DEVICE_UUID_V2_BUFFER_SIZE)),
          out -> new GpuUuid(out.text()));

  static final NvmlQuery<String> NAME =
      new NvmlQuery<>(
          "nvmlDeviceGetName",
          (lib, device, out) ->
              out.textCode(
                  lib.nvmlDeviceGetName(device, out.freshText(), NVML_DEVICE_NAME_V2_BUFFER_SIZE)),
          CallMemory::text);

  static final NvmlQuery<Long> SM_CLOCK =
      new NvmlQuery<>(
          "nvmlDeviceGetClockInfo",
          (lib, device, out) ->
              out.ifIntsAvailable(
                  lib.nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, out.scalar(0)), 0),
          out -> out.unsignedInt(0));

  static final NvmlQuery<Long> MEMORY_CLOCK =
      new NvmlQuery<>(
          "nvmlDeviceGetClockInfo",
          (lib, device, out) ->
              out.ifIntsAvailable(
                  lib.nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, out.scalar(0)), 0),
          out -> out.unsignedInt(0));

  static final NvmlQuery<Long> GPU_TEMPERATURE =
      new NvmlQuery<>(
          "nvmlDeviceGetTemperature",
          (lib, device, out) -> {
            int code = lib.nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, out.scalar(0));
            return ifPlausible(code, out.unsignedInt(0));
          },
          out -> out.unsignedInt(0));

  static final NvmlQuery<Long> POWER =
      new NvmlQuery<>(
          "nvmlDeviceGetPowerUsage",
          (lib, device, out) ->
              out.ifIntsAvailable(lib.nvmlDeviceGetPowerUsage(device, out.scalar(0)), 0),
          out -> out.unsignedInt(0));

  static final NvmlQuery<Long> PCIE_REPLAYS =
      new NvmlQuery<>(
          "nvmlDeviceGetPcieReplayCounter",
          (lib, device, out) ->
              out.ifIntsAvailable(lib.nvmlDeviceGetPcieReplayCounter(device, out.scalar(0)), 0),
          out -> out.unsignedInt(0));

  static final NvmlQuery<Utilization> UTILIZATION =
      new NvmlQuery<>(
          "nvmlDeviceGetUtilizationRates",
          (lib, device, out) -> {
            int code = lib.nvmlDeviceGetUtilizationRates(device, out.utilization);
            return ifAvailable(code, out.utilization);
          },
          out ->
              new Utilization(out.utilization.gpu.intValue(), out.utilization.memory.intValue()));

  static final NvmlQuery<Long> ENCODER_UTILIZATION =
      new NvmlQuery<>(
          "nvmlDeviceGetEncoderUtilization",
          (lib, device, out) ->
              out.ifIntsAvailable(
                  lib.nvmlDeviceGetEncoderUtilization(device, out.scalar(0), out.scalar(1)), 0),
          out -> out.unsignedInt(0));

  static final NvmlQuery<Long> DECODER_UTILIZATION =
      new NvmlQuery<>(
          "nvmlDeviceGetDecoderUtilization",
          (lib, device, out) ->
              out.ifIntsAvailable(
                  lib.nvmlDeviceGetDecoderUtilization(device, out.scalar(0), out.scalar(1)), 0),
          out -> out.unsignedInt(0));

  static final FallbackCalls<Memory> MEMORY =
      new FallbackCalls<>(
          0,
          List.of(
              new NvmlQuery<>(
                  "nvmlDeviceGetMemoryInfo_v2", NvmlQueries::readMemoryV2, NvmlQueries::memoryV2),
              new NvmlQuery<>(
                  "nvmlDeviceGetMemoryInfo", NvmlQueries::readMemory, NvmlQueries::memory)),
          FallbackCalls::isNotImplemented);

  static final NvmlQuery<Boolean> VGPU_LICENSED =
      new NvmlQuery<>(
          "nvmlDeviceGetGridLicensableFeatures_v4",
          Licenses::ask,
          out -> Licenses.vgpuIsLicensed(out.licenses));

  static NvmlQuery<Boolean> setComputeMode(ComputeMode mode) {
    return new NvmlQuery<>(
        "nvmlDeviceSetComputeMode",
        (lib, device, _) -> lib.nvmlDeviceSetComputeMode(device, mode.code()),
        _ -> true);
  }

  /** A sensor that is not there reads as nonsense on some boards. */
  private static int ifPlausible(int code, long celsius) {
    return code == NVML_SUCCESS && celsius > HOTTEST_CELSIUS ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  /** A driver may say in the value, not in the code, that it has none. */
  private static int ifAvailable(int code, NvmlUtilization utilization) {
    boolean available =
        utilization.gpu.intValue() != NVML_VALUE_NOT_AVAILABLE
            && utilization.memory.intValue() != NVML_VALUE_NOT_AVAILABLE;
    return code == NVML_SUCCESS && !available ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  private static int readMemoryV2(LibNvml lib, long device, CallMemory out) {
    out.memoryV2.version.set(NvmlMemoryV2.structVersion(out.memoryV2));
    int code = lib.nvmlDeviceGetMemoryInfo_v2(device, out.memoryV2);
    return DeviceStructs.ifLongsAvailable(
        code, out.memoryV2.total, out.memoryV2.free, out.memoryV2.used);
  }

  private static int readMemory(LibNvml lib, long device, CallMemory out) {
    int code = lib.nvmlDeviceGetMemoryInfo(device, out.memory);
    return DeviceStructs.ifLongsAvailable(code, out.memory.total, out.memory.free, out.memory.used);
  }

  private static Memory memoryV2(CallMemory out) {
    NvmlMemoryV2 memory = out.memoryV2;
    return new Memory(
        memory.total.get(),
        memory.reserved.get() == NVML_VALUE_NOT_AVAILABLE
            ? OptionalLong.empty()
            : OptionalLong.of(memory.reserved.get()),
        memory.free.get(),
        memory.used.get());
  }

  private static Memory memory(CallMemory out) {
    NvmlMemory memory = out.memory;
    return new Memory(
        memory.total.get(), OptionalLong.empty(), memory.free.get(), memory.used.get());
  }

  private NvmlQueries() {}

  /** Reads the license of the vGPU feature. */
  static final class Licenses {

    /** A system that does not support licenses has none: that is an answer. */
    static int ask(LibNvml lib, long device, CallMemory out) {
      int code = lib.nvmlDeviceGetGridLicensableFeatures_v4(device, out.licenses);
      if (code != NVML_ERROR_NOT_SUPPORTED) {
        return code;
      }
      out.licenses.isGridLicenseSupported.set(0);
      return NVML_SUCCESS;
    }

    /** False also where the system knows no vGPU licenses at all, as DCGM has it. */
    static boolean vgpuIsLicensed(NvmlGridLicensableFeatures features) {
      NvmlGridLicensableFeature[] entries = features.gridLicensableFeatures;
      long count = Math.min(features.licensableFeaturesCount.get(), entries.length);
      if (features.isGridLicenseSupported.get() == 0) {
        return false;
      }
      for (int i = 0; i < count; i++) {
        if (entries[i].featureCode.get() == NVML_GRID_LICENSE_FEATURE_CODE_VGPU
            && entries[i].featureState.get() != 0) {
          return true;
        }
      }
      return false;
    }

    private Licenses() {}
  }
}
