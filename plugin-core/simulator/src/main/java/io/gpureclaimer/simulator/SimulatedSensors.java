package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_GRAPHICS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_MEM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_SM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_VIDEO;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_COMPUTEMODE_DEFAULT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_COMPUTEMODE_EXCLUSIVE_PROCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_COMPUTEMODE_PROHIBITED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_CORRUPTED_INFOROM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_INFOROM_ECC;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_INFOROM_OEM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_MEMORY_LOCATION_DEVICE_MEMORY;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_MEMORY_LOCATION_SRAM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_THRESHOLD_GPU_MAX;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_THRESHOLD_MEM_MAX;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_THRESHOLD_SHUTDOWN;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_THRESHOLD_SLOWDOWN;
import static io.gpureclaimer.simulator.SimulatedDriver.putInt;
import static io.gpureclaimer.simulator.SimulatedDriver.putText;

import io.gpureclaimer.nvml.binding.NvmlBar1Memory;
import io.gpureclaimer.nvml.binding.NvmlConfComputeSystemState;
import io.gpureclaimer.nvml.binding.NvmlEccSramErrorStatus;
import io.gpureclaimer.nvml.binding.NvmlGpuFabricInfo;
import io.gpureclaimer.nvml.binding.NvmlMarginTemperature;
import io.gpureclaimer.nvml.binding.NvmlPlatformInfo;
import io.gpureclaimer.nvml.binding.NvmlRowRemapperHistogramValues;
import io.gpureclaimer.nvml.binding.SensorFunctions;
import jnr.ffi.Pointer;

/** The part of the simulated driver that answers single numbers and texts about a whole card. */
interface SimulatedSensors extends SensorFunctions, SimulatedReader {
  int CUDA_12_4 = 12_040;
  int MILLI = 1_000;
  int REASON_IDLE = 0x1;
  int REASON_POWER_CAP = 0x4;
  int NEARLY_ALL_PERCENT = 95;
  int SAMPLING_PERIOD_MICROS = 167_000;
  int PCIE_LANES = 16;
  int REMAPPER_BANKS = 640;
  int SHUTDOWN_ABOVE_SLOWDOWN = 3;
  int MEMORY_ABOVE_GPU = 5;
  int SLOWEST_STATE = 8;
  int VIDEO_PER_MILLE_OF_SM = 900;
  long BYTES_PER_MIB = 1L << 20;
  String VBIOS = "96.00.99.00.01";

  @Override
  default int nvmlSystemGetCudaDriverVersion_v2(Pointer version) {
    return inSession(() -> putInt(version, CUDA_12_4));
  }

  @Override
  default int nvmlSystemGetConfComputeState(NvmlConfComputeSystemState state) {
    return inSession(
        () -> {
          state.environment.set(0);
          state.ccFeature.set(0);
          state.devToolsMode.set(0);
          return NVML_SUCCESS;
        });
  }

  @Override
  default int nvmlDeviceGetMaxClockInfo(long device, int type, Pointer clock) {
    return reading(
        device,
        (gpu, _, _) ->
            switch (type) {
              case NVML_CLOCK_SM -> putInt(clock, gpu.model().maxSmMegahertz());
              case NVML_CLOCK_MEM -> putInt(clock, gpu.model().memoryMegahertz());
              case NVML_CLOCK_VIDEO -> putInt(clock, video(gpu.model().maxSmMegahertz()));
              default -> NVML_ERROR_INVALID_ARGUMENT;
            });
  }

  @Override
  default int nvmlDeviceGetApplicationsClock(long device, int type, Pointer clock) {
    return reading(
        device,
        (gpu, _, _) ->
            switch (type) {
              case NVML_CLOCK_GRAPHICS -> putInt(clock, gpu.model().maxSmMegahertz());
              case NVML_CLOCK_MEM -> putInt(clock, gpu.model().memoryMegahertz());
              default -> NVML_ERROR_NOT_SUPPORTED;
            });
  }

  /** As the decoders, of the models that have engines for JPEG. */
  @Override
  default int nvmlDeviceGetJpgUtilization(long device, Pointer utilization, Pointer periodUs) {
    return reading(
        device,
        (gpu, script, _) ->
            gpu.model().rowsAreRemapped() && !gpu.layout(script).isOn()
                ? putInt(utilization, 0) + putInt(periodUs, SAMPLING_PERIOD_MICROS)
                : NVML_ERROR_NOT_SUPPORTED);
  }

  @Override
  default int nvmlDeviceGetOfaUtilization(long device, Pointer utilization, Pointer periodUs) {
    return nvmlDeviceGetJpgUtilization(device, utilization, periodUs);
  }

  @Override
  default int nvmlDeviceGetCurrentClocksEventReasons(long device, Pointer reasons) {
    return reading(
        device,
        (gpu, script, now) -> {
          int load = gpu.utilizationPercent(script, now);
          int reason = load == 0 ? REASON_IDLE : 0;
          reasons.putLong(0, load >= NEARLY_ALL_PERCENT ? REASON_POWER_CAP : reason);
          return NVML_SUCCESS;
        });
  }

  @Override
  default int nvmlDeviceGetCurrentClocksThrottleReasons(long device, Pointer reasons) {
    return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
  }

  @Override
  default int nvmlDeviceGetTemperatureThreshold(long device, int type, Pointer temperature) {
    return reading(
        device,
        (gpu, _, _) -> {
          int slowdown = Board.of(gpu.model()).slowdownCelsius();
          return switch (type) {
            case NVML_TEMPERATURE_THRESHOLD_SHUTDOWN ->
                putInt(temperature, slowdown + SHUTDOWN_ABOVE_SLOWDOWN);
            case NVML_TEMPERATURE_THRESHOLD_SLOWDOWN -> putInt(temperature, slowdown);
            case NVML_TEMPERATURE_THRESHOLD_MEM_MAX ->
                gpu.model().memory() == Model.MemoryKind.HBM
                    ? putInt(temperature, slowdown + MEMORY_ABOVE_GPU)
                    : NVML_ERROR_NOT_SUPPORTED;
            case NVML_TEMPERATURE_THRESHOLD_GPU_MAX ->
                putInt(temperature, slowdown - SHUTDOWN_ABOVE_SLOWDOWN);
            default -> NVML_ERROR_INVALID_ARGUMENT;
          };
        });
  }

  @Override
  default int nvmlDeviceGetMarginTemperature(long device, NvmlMarginTemperature margin) {
    return reading(
        device,
        (gpu, script, now) -> {
          if (margin.version.get() != NvmlMarginTemperature.structVersion(margin)) {
            return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
          }
          margin.marginTemperature.set(
              Board.of(gpu.model()).slowdownCelsius() - gpu.celsius(script, now));
          return NVML_SUCCESS;
        });
  }

  @Override
  default int nvmlDeviceGetPowerManagementLimit(long device, Pointer limit) {
    return reading(
        device,
        (gpu, script, _) ->
            script.has(Fault.POWER_UNSUPPORTED)
                ? NVML_ERROR_NOT_SUPPORTED
                : putInt(limit, gpu.model().maxWatts() * MILLI));
  }

  @Override
  default int nvmlDeviceGetPowerManagementLimitConstraints(
      long device, Pointer minLimit, Pointer maxLimit) {
    return reading(
        device,
        (gpu, script, _) ->
            script.has(Fault.POWER_UNSUPPORTED)
                ? NVML_ERROR_NOT_SUPPORTED
                : putInt(minLimit, gpu.model().maxWatts() * MILLI / 2)
                    + putInt(maxLimit, gpu.model().maxWatts() * MILLI));
  }

  @Override
  default int nvmlDeviceGetPowerManagementDefaultLimit(long device, Pointer limit) {
    return nvmlDeviceGetPowerManagementLimit(device, limit);
  }

  @Override
  default int nvmlDeviceGetEnforcedPowerLimit(long device, Pointer limit) {
    return nvmlDeviceGetPowerManagementLimit(device, limit);
  }

  @Override
  default int nvmlDeviceGetPerformanceState(long device, Pointer state) {
    return reading(
        device,
        (gpu, script, _) ->
            putInt(
                state,
                gpu.model().memory() == Model.MemoryKind.GDDR && script.utilizationPercent() == 0
                    ? SLOWEST_STATE
                    : 0));
  }

  /** Cards of a data center have no fan of their own. */
  @Override
  default int nvmlDeviceGetFanSpeed(long device, Pointer speed) {
    return reading(device, (_, _, _) -> NVML_ERROR_NOT_SUPPORTED);
  }

  @Override
  default int nvmlDeviceGetMaxPcieLinkGeneration(long device, Pointer generation) {
    return reading(
        device, (gpu, _, _) -> putInt(generation, Board.of(gpu.model()).pcieGeneration()));
  }

  @Override
  default int nvmlDeviceGetMaxPcieLinkWidth(long device, Pointer width) {
    return reading(device, (_, _, _) -> putInt(width, PCIE_LANES));
  }

  @Override
  default int nvmlDeviceGetCurrPcieLinkGeneration(long device, Pointer generation) {
    return nvmlDeviceGetMaxPcieLinkGeneration(device, generation);
  }

  @Override
  default int nvmlDeviceGetCurrPcieLinkWidth(long device, Pointer width) {
    return nvmlDeviceGetMaxPcieLinkWidth(device, width);
  }

  @Override
  default int nvmlDeviceGetEccMode(long device, Pointer current, Pointer pending) {
    return reading(device, (_, _, _) -> putInt(current, 1) + putInt(pending, 1));
  }

  @Override
  default int nvmlDeviceGetMemoryErrorCounter(
      long device, int errorType, int counterType, int location, Pointer count) {
    return reading(
        device,
        (_, _, _) -> {
          if (location != NVML_MEMORY_LOCATION_DEVICE_MEMORY
              && location != NVML_MEMORY_LOCATION_SRAM) {
            return NVML_ERROR_NOT_SUPPORTED;
          }
          count.putLong(0, 0);
          return NVML_SUCCESS;
        });
  }

  @Override
  default int nvmlDeviceGetSramEccErrorStatus(long device, NvmlEccSramErrorStatus status) {
    return reading(
        device,
        (gpu, _, _) -> {
          if (status.version.get() != NvmlEccSramErrorStatus.structVersion(status)) {
            return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
          }
          status.bThresholdExceeded.set(0);
          return gpu.model().rowsAreRemapped() ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
        });
  }

  @Override
  default int nvmlDeviceGetRowRemapperHistogram(
      long device, NvmlRowRemapperHistogramValues values) {
    return reading(
        device,
        (gpu, _, _) -> {
          values.max.set(REMAPPER_BANKS);
          values.high.set(0);
          values.partial.set(0);
          values.low.set(0);
          values.none.set(0);
          return gpu.model().rowsAreRemapped() ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
        });
  }

  /** Boards that replace rows do not retire pages. */
  @Override
  default int nvmlDeviceGetRetiredPages(
      long device, int cause, Pointer pageCount, Pointer addresses) {
    return reading(
        device,
        (gpu, _, _) ->
            gpu.model().rowsAreRemapped() ? NVML_ERROR_NOT_SUPPORTED : putInt(pageCount, 0));
  }

  @Override
  default int nvmlDeviceGetUnrepairableMemoryFlag_v1(long device, Pointer status) {
    return reading(
        device,
        (gpu, _, _) ->
            gpu.model().rowsAreRemapped() ? putInt(status, 0) : NVML_ERROR_NOT_SUPPORTED);
  }

  @Override
  default int nvmlDeviceGetBAR1MemoryInfo(long device, NvmlBar1Memory memory) {
    return reading(
        device,
        (gpu, _, _) -> {
          long total = Board.of(gpu.model()).bar1Mib() * BYTES_PER_MIB;
          memory.bar1Total.set(total);
          memory.bar1Used.set(BYTES_PER_MIB);
          memory.bar1Free.set(total - BYTES_PER_MIB);
          return NVML_SUCCESS;
        });
  }

  @Override
  default int nvmlDeviceGetNvLinkErrorCounter(long device, int link, int counter, Pointer value) {
    return reading(
        device,
        (gpu, _, _) -> {
          value.putLong(0, 0);
          return link < Board.of(gpu.model()).links() ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
        });
  }

  @Override
  default int nvmlDeviceGetComputeMode(long device, Pointer mode) {
    return reading(device, (gpu, _, _) -> putInt(mode, gpu.computeMode()));
  }

  @Override
  default int nvmlDeviceSetComputeMode(long device, int mode) {
    return reading(
        device,
        (gpu, _, _) -> {
          boolean known =
              mode == NVML_COMPUTEMODE_DEFAULT
                  || mode == NVML_COMPUTEMODE_PROHIBITED
                  || mode == NVML_COMPUTEMODE_EXCLUSIVE_PROCESS;
          if (known) {
            gpu.computeMode(mode);
          }
          return known ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
        });
  }

  @Override
  default int nvmlDeviceGetPersistenceMode(long device, Pointer mode) {
    return reading(device, (_, _, _) -> putInt(mode, 1));
  }

  @Override
  default int nvmlDeviceGetCudaComputeCapability(long device, Pointer major, Pointer minor) {
    return reading(
        device,
        (gpu, _, _) -> {
          Board board = Board.of(gpu.model());
          return putInt(major, board.major()) + putInt(minor, board.minor());
        });
  }

  /** No fabric on these nodes. */
  @Override
  default int nvmlDeviceGetGpuFabricInfoV(long device, NvmlGpuFabricInfo info) {
    return reading(device, (_, _, _) -> NVML_ERROR_NOT_SUPPORTED);
  }

  @Override
  default int nvmlDeviceGetGpuFabricInfo(long device, Pointer info) {
    return reading(device, (_, _, _) -> NVML_ERROR_NOT_SUPPORTED);
  }

  @Override
  default int nvmlDeviceGetPlatformInfo(long device, NvmlPlatformInfo info) {
    return reading(device, (gpu, _, _) -> SimulatedPlatform.put(info, gpu));
  }

  /** No virtual machines on these nodes. */
  @Override
  default int nvmlDeviceGetVirtualizationMode(long device, Pointer mode) {
    return reading(device, (_, _, _) -> putInt(mode, 0));
  }

  @Override
  default int nvmlDeviceGetBrand(long device, Pointer brand) {
    return reading(device, (gpu, _, _) -> putInt(brand, Board.of(gpu.model()).brand()));
  }

  @Override
  default int nvmlDeviceGetSerial(long device, Pointer serial, int length) {
    return reading(device, (gpu, _, _) -> putText(serial, length, "165102300000" + gpu.index()));
  }

  @Override
  default int nvmlDeviceGetInforomVersion(long device, int object, Pointer version, int length) {
    return reading(
        device,
        (_, _, _) ->
            switch (object) {
              case NVML_INFOROM_OEM -> putText(version, length, "2.1");
              case NVML_INFOROM_ECC -> putText(version, length, "7.16");
              default -> NVML_ERROR_NOT_SUPPORTED;
            });
  }

  @Override
  default int nvmlDeviceGetInforomImageVersion(long device, Pointer version, int length) {
    return reading(device, (_, _, _) -> putText(version, length, "G520.0200.00.05"));
  }

  @Override
  default int nvmlDeviceValidateInforom(long device) {
    return reading(
        device,
        (_, script, _) ->
            script.has(Fault.INFOROM_CORRUPT) ? NVML_ERROR_CORRUPTED_INFOROM : NVML_SUCCESS);
  }

  @Override
  default int nvmlDeviceGetInforomConfigurationChecksum(long device, Pointer checksum) {
    return reading(device, (gpu, _, _) -> putInt(checksum, gpu.model().name().hashCode()));
  }

  @Override
  default int nvmlDeviceGetVbiosVersion(long device, Pointer version, int length) {
    return reading(device, (_, _, _) -> putText(version, length, VBIOS));
  }

  /** The clock of the video engines next to that of the SMs. */
  static int video(int smMegahertz) {
    return smMegahertz * VIDEO_PER_MILLE_OF_SM / MILLI;
  }
}
