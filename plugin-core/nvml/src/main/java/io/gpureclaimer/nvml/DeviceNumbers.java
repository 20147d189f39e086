package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_AGGREGATE_ECC;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_GRAPHICS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_MEM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_SM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_VIDEO;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_CORRUPTED_INFOROM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INSUFFICIENT_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_MEMORY_ERROR_TYPE_CORRECTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_MEMORY_ERROR_TYPE_UNCORRECTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_PSTATE_UNKNOWN;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_THRESHOLD_GPU_MAX;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_THRESHOLD_MEM_MAX;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_THRESHOLD_SHUTDOWN;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_THRESHOLD_SLOWDOWN;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VOLATILE_ECC;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.util.List;
import jnr.ffi.Pointer;

/**
 * The numbers that a GPU can be asked for with {@link Nvml#numbers}, each with unit, meaning and
 * source. Where board or driver has no such number the answer is unsupported.
 */
public final class DeviceNumbers {
  private static final int CLOCKS_EVENT_SLOT = 1;
  private static final int MAJOR_SHIFT = 16;

  /** MHz, now: {@code nvmlDeviceGetClockInfo}, video. */
  public static final DeviceNumber VIDEO_CLOCK =
      ofInt(
          "nvmlDeviceGetClockInfo",
          (lib, device, out) -> lib.nvmlDeviceGetClockInfo(device, NVML_CLOCK_VIDEO, out));

  /**
   * MHz of the SMs, which applications asked for: {@code nvmlDeviceGetApplicationsClock}, graphics.
   * That is the domain that {@code nvmlDeviceSetApplicationsClocks} sets, and that DCGM asks for.
   */
  public static final DeviceNumber APPLICATION_SM_CLOCK =
      ofInt(
          "nvmlDeviceGetApplicationsClock",
          (lib, device, out) ->
              lib.nvmlDeviceGetApplicationsClock(device, NVML_CLOCK_GRAPHICS, out));

  /** MHz, which applications asked for: {@code nvmlDeviceGetApplicationsClock}, memory. */
  public static final DeviceNumber APPLICATION_MEMORY_CLOCK =
      ofInt(
          "nvmlDeviceGetApplicationsClock",
          (lib, device, out) -> lib.nvmlDeviceGetApplicationsClock(device, NVML_CLOCK_MEM, out));

  /** MHz, the most that the board can: {@code nvmlDeviceGetMaxClockInfo}, SM. */
  public static final DeviceNumber MAX_SM_CLOCK =
      ofInt(
          "nvmlDeviceGetMaxClockInfo",
          (lib, device, out) -> lib.nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, out));

  /** MHz, the most that the board can: {@code nvmlDeviceGetMaxClockInfo}, memory. */
  public static final DeviceNumber MAX_MEMORY_CLOCK =
      ofInt(
          "nvmlDeviceGetMaxClockInfo",
          (lib, device, out) -> lib.nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, out));

  /** MHz, the most that the board can: {@code nvmlDeviceGetMaxClockInfo}, video. */
  public static final DeviceNumber MAX_VIDEO_CLOCK =
      ofInt(
          "nvmlDeviceGetMaxClockInfo",
          (lib, device, out) -> lib.nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_VIDEO, out));

  /**
   * Percent of time, over all JPEG engines and the driver's own sampling period: {@code
   * nvmlDeviceGetJpgUtilization}. Unsupported while MIG is on.
   */
  public static final DeviceNumber JPEG_UTILIZATION =
      utilization("nvmlDeviceGetJpgUtilization", LibNvml::nvmlDeviceGetJpgUtilization);

  /** Percent of time, of the optical flow accelerators: {@code nvmlDeviceGetOfaUtilization}. */
  public static final DeviceNumber OFA_UTILIZATION =
      utilization("nvmlDeviceGetOfaUtilization", LibNvml::nvmlDeviceGetOfaUtilization);

  /**
   * A mask of why the clocks are as they are now: {@code nvmlDeviceGetCurrentClocksEventReasons},
   * or {@code nvmlDeviceGetCurrentClocksThrottleReasons} before driver 535.
   */
  public static final DeviceNumber CLOCKS_EVENT_REASONS =
      new DeviceNumber(
          new FallbackCalls<>(
              CLOCKS_EVENT_SLOT,
              List.of(
                  ofLong(
                      "nvmlDeviceGetCurrentClocksEventReasons",
                      LibNvml::nvmlDeviceGetCurrentClocksEventReasons),
                  ofLong(
                      "nvmlDeviceGetCurrentClocksThrottleReasons",
                      LibNvml::nvmlDeviceGetCurrentClocksThrottleReasons)),
              FallbackCalls::isNotImplemented));

  /** °C, at which the GPU shuts down: {@code nvmlDeviceGetTemperatureThreshold}. */
  public static final DeviceNumber SHUTDOWN_TEMPERATURE =
      threshold(NVML_TEMPERATURE_THRESHOLD_SHUTDOWN);

  /** °C, at which the GPU slows down: {@code nvmlDeviceGetTemperatureThreshold}. */
  public static final DeviceNumber SLOWDOWN_TEMPERATURE =
      threshold(NVML_TEMPERATURE_THRESHOLD_SLOWDOWN);

  /** °C, the most at which the memory may work: {@code nvmlDeviceGetTemperatureThreshold}. */
  public static final DeviceNumber MAX_MEMORY_TEMPERATURE =
      threshold(NVML_TEMPERATURE_THRESHOLD_MEM_MAX);

  /** °C, the most at which the GPU may work: {@code nvmlDeviceGetTemperatureThreshold}. */
  public static final DeviceNumber MAX_GPU_TEMPERATURE =
      threshold(NVML_TEMPERATURE_THRESHOLD_GPU_MAX);

  /**
   * °C between now and the nearest slowdown, less than zero beyond it: {@code
   * nvmlDeviceGetMarginTemperature}.
   */
  public static final DeviceNumber MARGIN_TEMPERATURE =
      of(
          new NvmlQuery<>(
              "nvmlDeviceGetMarginTemperature",
              DeviceStructs::readMargin,
              out -> out.margin.marginTemperature.longValue()));

  /** Milliwatts, as set by an administrator: {@code nvmlDeviceGetPowerManagementLimit}. */
  public static final DeviceNumber POWER_LIMIT =
      ofInt("nvmlDeviceGetPowerManagementLimit", LibNvml::nvmlDeviceGetPowerManagementLimit);

  /** Milliwatts, the least to set: {@code nvmlDeviceGetPowerManagementLimitConstraints}. */
  public static final DeviceNumber MIN_POWER_LIMIT = powerConstraint(0);

  /** Milliwatts, the most to set: {@code nvmlDeviceGetPowerManagementLimitConstraints}. */
  public static final DeviceNumber MAX_POWER_LIMIT = powerConstraint(1);

  /** Milliwatts, the default: {@code nvmlDeviceGetPowerManagementDefaultLimit}. */
  public static final DeviceNumber DEFAULT_POWER_LIMIT =
      ofInt(
          "nvmlDeviceGetPowerManagementDefaultLimit",
          LibNvml::nvmlDeviceGetPowerManagementDefaultLimit);

  /** Milliwatts, the least of all limits in force: {@code nvmlDeviceGetEnforcedPowerLimit}. */
  public static final DeviceNumber ENFORCED_POWER_LIMIT =
      ofInt("nvmlDeviceGetEnforcedPowerLimit", LibNvml::nvmlDeviceGetEnforcedPowerLimit);

  /** From 0, the fastest, to 15: {@code nvmlDeviceGetPerformanceState}; unknown is unsupported. */
  public static final DeviceNumber PERFORMANCE_STATE =
      of(
          new NvmlQuery<>(
              "nvmlDeviceGetPerformanceState",
              (lib, device, out) -> {
                int code = lib.nvmlDeviceGetPerformanceState(device, out.freshScalar(0));
                boolean known = out.unsignedInt(0) != NVML_PSTATE_UNKNOWN;
                return out.ifIntsAvailable(
                    code == NVML_SUCCESS && !known ? NVML_ERROR_NOT_SUPPORTED : code, 0);
              },
              out -> out.unsignedInt(0)));

  /** Percent of its own most, as intended: {@code nvmlDeviceGetFanSpeed}. */
  public static final DeviceNumber FAN_SPEED =
      ofInt("nvmlDeviceGetFanSpeed", LibNvml::nvmlDeviceGetFanSpeed);

  /** PCIe generation that GPU and slot both can: {@code nvmlDeviceGetMaxPcieLinkGeneration}. */
  public static final DeviceNumber MAX_PCIE_GENERATION =
      ofInt("nvmlDeviceGetMaxPcieLinkGeneration", LibNvml::nvmlDeviceGetMaxPcieLinkGeneration);

  /** PCIe lanes that GPU and slot both have: {@code nvmlDeviceGetMaxPcieLinkWidth}. */
  public static final DeviceNumber MAX_PCIE_WIDTH =
      ofInt("nvmlDeviceGetMaxPcieLinkWidth", LibNvml::nvmlDeviceGetMaxPcieLinkWidth);

  /** PCIe generation now: {@code nvmlDeviceGetCurrPcieLinkGeneration}. */
  public static final DeviceNumber PCIE_GENERATION =
      ofInt("nvmlDeviceGetCurrPcieLinkGeneration", LibNvml::nvmlDeviceGetCurrPcieLinkGeneration);

  /** PCIe lanes now: {@code nvmlDeviceGetCurrPcieLinkWidth}. */
  public static final DeviceNumber PCIE_WIDTH =
      ofInt("nvmlDeviceGetCurrPcieLinkWidth", LibNvml::nvmlDeviceGetCurrPcieLinkWidth);

  /** 1 while ECC is on, else 0: {@code nvmlDeviceGetEccMode}. */
  public static final DeviceNumber ECC_MODE = eccMode(0);

  /** As it will be after the next reset: {@code nvmlDeviceGetEccMode}. */
  public static final DeviceNumber PENDING_ECC_MODE = eccMode(1);

  /** 1 when the SRAM had more errors than it should: {@code nvmlDeviceGetSramEccErrorStatus}. */
  public static final DeviceNumber SRAM_THRESHOLD_EXCEEDED =
      of(
          new NvmlQuery<>(
              "nvmlDeviceGetSramEccErrorStatus",
              DeviceStructs::readSram,
              out -> out.sram.bThresholdExceeded.get()));

  /** Banks whose spare rows are all left: {@code nvmlDeviceGetRowRemapperHistogram}. */
  public static final DeviceNumber BANKS_WITH_ALL_ROWS = histogram(out -> out.remapper.max.get());

  /** Banks with many spare rows left: {@code nvmlDeviceGetRowRemapperHistogram}. */
  public static final DeviceNumber BANKS_WITH_MANY_ROWS = histogram(out -> out.remapper.high.get());

  /** Banks with some spare rows left: {@code nvmlDeviceGetRowRemapperHistogram}. */
  public static final DeviceNumber BANKS_WITH_SOME_ROWS =
      histogram(out -> out.remapper.partial.get());

  /** Banks with few spare rows left: {@code nvmlDeviceGetRowRemapperHistogram}. */
  public static final DeviceNumber BANKS_WITH_FEW_ROWS = histogram(out -> out.remapper.low.get());

  /** Banks without a spare row: {@code nvmlDeviceGetRowRemapperHistogram}. */
  public static final DeviceNumber BANKS_WITHOUT_ROWS = histogram(out -> out.remapper.none.get());

  /**
   * Pages retired because of several single-bit errors: {@code nvmlDeviceGetRetiredPages}, whose
   * complaint that there are more than we have room for is an answer too.
   */
  public static final DeviceNumber PAGES_RETIRED_SINGLE_BIT =
      of(
          new NvmlQuery<>(
              "nvmlDeviceGetRetiredPages",
              (lib, device, out) -> {
                int code =
                    lib.nvmlDeviceGetRetiredPages(
                        device,
                        NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS,
                        out.freshScalar(0),
                        out.scalar(1));
                return out.ifIntsAvailable(
                    code == NVML_ERROR_INSUFFICIENT_SIZE ? NVML_SUCCESS : code, 0);
              },
              out -> out.unsignedInt(0)));

  /** 1 when memory cannot be repaired: {@code nvmlDeviceGetUnrepairableMemoryFlag_v1}. */
  public static final DeviceNumber MEMORY_UNREPAIRABLE =
      ofInt(
          "nvmlDeviceGetUnrepairableMemoryFlag_v1",
          LibNvml::nvmlDeviceGetUnrepairableMemoryFlag_v1);

  /** Bytes of the memory that the host can see: {@code nvmlDeviceGetBAR1MemoryInfo}. */
  public static final DeviceNumber BAR1_TOTAL = bar1(out -> out.bar1.bar1Total.get());

  /** Bytes of it in use: {@code nvmlDeviceGetBAR1MemoryInfo}. */
  public static final DeviceNumber BAR1_USED = bar1(out -> out.bar1.bar1Used.get());

  /** Bytes of it free: {@code nvmlDeviceGetBAR1MemoryInfo}. */
  public static final DeviceNumber BAR1_FREE = bar1(out -> out.bar1.bar1Free.get());

  /** Who may use the GPU, in NVML's numbers: {@code nvmlDeviceGetComputeMode}. */
  public static final DeviceNumber COMPUTE_MODE =
      ofInt("nvmlDeviceGetComputeMode", LibNvml::nvmlDeviceGetComputeMode);

  /**
   * 1 when the checksums of the infoROM are right, 0 when one is wrong: {@code
   * nvmlDeviceValidateInforom}, which reads flash memory, so that it may take long.
   */
  public static final DeviceNumber INFOROM_VALID =
      of(
          new NvmlQuery<>(
              "nvmlDeviceValidateInforom",
              (lib, device, out) -> {
                int code = lib.nvmlDeviceValidateInforom(device);
                out.freshScalar(0).putInt(0, code == NVML_ERROR_CORRUPTED_INFOROM ? 0 : 1);
                return code == NVML_ERROR_CORRUPTED_INFOROM ? NVML_SUCCESS : code;
              },
              out -> out.unsignedInt(0)));

  /**
   * Of the configuration in the infoROM, the same for boards that are configured alike: {@code
   * nvmlDeviceGetInforomConfigurationChecksum}, which reads flash memory too.
   */
  public static final DeviceNumber INFOROM_CHECKSUM =
      ofInt(
          "nvmlDeviceGetInforomConfigurationChecksum",
          LibNvml::nvmlDeviceGetInforomConfigurationChecksum);

  /** That of the device file, {@code /dev/nvidia0}: {@code nvmlDeviceGetMinorNumber}. */
  public static final DeviceNumber MINOR =
      ofInt("nvmlDeviceGetMinorNumber", LibNvml::nvmlDeviceGetMinorNumber);

  /** 1 when the driver stays loaded without a client: {@code nvmlDeviceGetPersistenceMode}. */
  public static final DeviceNumber PERSISTENCE_MODE =
      ofInt("nvmlDeviceGetPersistenceMode", LibNvml::nvmlDeviceGetPersistenceMode);

  /** 1 while MIG is on: {@code nvmlDeviceGetMigMode}. */
  public static final DeviceNumber MIG_MODE =
      of(
          new NvmlQuery<>(
              "nvmlDeviceGetMigMode",
              (lib, device, out) ->
                  out.ifIntsAvailable(
                      lib.nvmlDeviceGetMigMode(device, out.freshScalar(0), out.scalar(1)), 0),
              out -> out.unsignedInt(0)));

  /**
   * Major version of what CUDA calls the device, shifted left by 16, and minor version: {@code
   * nvmlDeviceGetCudaComputeCapability}.
   */
  public static final DeviceNumber CUDA_COMPUTE_CAPABILITY =
      of(
          new NvmlQuery<>(
              "nvmlDeviceGetCudaComputeCapability",
              (lib, device, out) ->
                  lib.nvmlDeviceGetCudaComputeCapability(
                      device, out.freshScalar(0), out.freshScalar(1)),
              out -> (out.unsignedInt(0) << MAJOR_SHIFT) | out.unsignedInt(1)));

  /** 1000 × major + 10 × minor, of the node: {@code nvmlSystemGetCudaDriverVersion_v2}. */
  public static final DeviceNumber CUDA_DRIVER_VERSION =
      ofInt(
          "nvmlSystemGetCudaDriverVersion_v2",
          (lib, _, out) -> lib.nvmlSystemGetCudaDriverVersion_v2(out));

  /** 1 while the node computes confidentially: {@code nvmlSystemGetConfComputeState}. */
  public static final DeviceNumber CONFIDENTIAL_COMPUTE_MODE =
      of(
          new NvmlQuery<>(
              "nvmlSystemGetConfComputeState",
              (lib, _, out) -> lib.nvmlSystemGetConfComputeState(out.confidential),
              out -> out.confidential.ccFeature.get()));

  /**
   * Whether the GPU has joined its NVLink fabric, in DCGM's numbers: 0 has none, 1 not started, 2
   * in progress, 3 joined, 4 failed, 5 anything else: {@code nvmlDeviceGetGpuFabricInfoV}, or
   * {@code nvmlDeviceGetGpuFabricInfo}, which is all that driver 535 has.
   */
  public static final DeviceNumber FABRIC_STATUS =
      fabric(FabricReader.ANY, FabricReader.FIRST, FabricReader::status);

  /** The return code with which joining has ended; unsupported before: as above. */
  public static final DeviceNumber FABRIC_ERROR =
      fabric(
          FabricReader.JOINED_ONLY,
          FabricReader.FIRST_JOINED_ONLY,
          out -> out.fabric.status.longValue());

  /** The clique of the fabric that the GPU has joined; unsupported before: as above. */
  public static final DeviceNumber FABRIC_CLIQUE =
      fabric(
          FabricReader.JOINED_ONLY,
          FabricReader.FIRST_JOINED_ONLY,
          out -> out.fabric.cliqueId.get());

  /** A mask of the fabric's health: {@code nvmlDeviceGetGpuFabricInfoV} only. */
  public static final DeviceNumber FABRIC_HEALTH_MASK =
      of(
          new NvmlQuery<>(
              FabricReader.FUNCTION, FabricReader.ANY, out -> out.fabric.healthMask.get()));

  /** The fabric's health in one number: as above, third version of its struct only. */
  public static final DeviceNumber FABRIC_HEALTH_SUMMARY =
      of(
          new NvmlQuery<>(
              FabricReader.FUNCTION,
              FabricReader.NEWEST,
              out -> out.fabric.healthSummary.longValue()));

  /**
   * Slot of the chassis, switches counted: {@code nvmlDeviceGetPlatformInfo}, Blackwell and newer.
   */
  public static final DeviceNumber CHASSIS_SLOT =
      platform(out -> out.platform.slotNumber.longValue());

  /** Slot of the chassis, switches not counted: as above. */
  public static final DeviceNumber TRAY_INDEX = platform(out -> out.platform.trayIndex.longValue());

  /** Number of the node within its slot: as above. */
  public static final DeviceNumber HOST_ID = platform(out -> out.platform.hostId.longValue());

  /** Whether NVLink leads to GPUs or to switches, in numbers that NVML does not name: as above. */
  public static final DeviceNumber PEER_TYPE = platform(out -> out.platform.peerType.longValue());

  /** Number of the GPU within its node: as above. */
  public static final DeviceNumber MODULE_ID = platform(out -> out.platform.moduleId.longValue());

  /**
   * PCI's id of the device, and in the lower 16 bits its vendor's: {@code nvmlDeviceGetPciInfo_v3}.
   */
  public static final DeviceNumber PCI_COMBINED_ID = pci(out -> out.pci.pciDeviceId.get());

  /** PCI's id of the board, and in the lower 16 bits its vendor's: as above. */
  public static final DeviceNumber PCI_SUBSYSTEM_ID = pci(out -> out.pci.pciSubSystemId.get());

  /**
   * 0 for a GPU of a bare machine, 1 passed through to a virtual one, 2 a vGPU, 3 or 4 the host of
   * vGPUs: {@code nvmlDeviceGetVirtualizationMode}.
   */
  public static final DeviceNumber VIRTUALIZATION_MODE =
      ofInt("nvmlDeviceGetVirtualizationMode", LibNvml::nvmlDeviceGetVirtualizationMode);

  /** Corrected errors since the driver was loaded: {@code nvmlDeviceGetMemoryErrorCounter}. */
  public static DeviceNumber volatileSingleBitErrors(MemoryLocation where) {
    return memoryErrors(NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_VOLATILE_ECC, where);
  }

  /** Uncorrected errors since the driver was loaded: {@code nvmlDeviceGetMemoryErrorCounter}. */
  public static DeviceNumber volatileDoubleBitErrors(MemoryLocation where) {
    return memoryErrors(NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC, where);
  }

  /** Corrected errors over the life of the board: {@code nvmlDeviceGetMemoryErrorCounter}. */
  public static DeviceNumber aggregateSingleBitErrors(MemoryLocation where) {
    return memoryErrors(NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_AGGREGATE_ECC, where);
  }

  /** Uncorrected errors over the life of the board: {@code nvmlDeviceGetMemoryErrorCounter}. */
  public static DeviceNumber aggregateDoubleBitErrors(MemoryLocation where) {
    return memoryErrors(NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_AGGREGATE_ECC, where);
  }

  /** Errors of that kind on that link: {@code nvmlDeviceGetNvLinkErrorCounter}. */
  public static DeviceNumber linkErrors(LinkError kind, int link) {
    return of(
        ofLong(
            "nvmlDeviceGetNvLinkErrorCounter",
            (lib, device, out) ->
                DeviceStructs.unknownIsUnsupported(
                    lib.nvmlDeviceGetNvLinkErrorCounter(device, link, kind.code(), out))));
  }

  /** A call that fills one number. */
  private interface Getter {
    int on(LibNvml lib, long device, Pointer out);
  }

  /** A call that fills a percentage and the microseconds over which it was measured. */
  private interface UtilizationGetter {
    int on(LibNvml lib, long device, Pointer percent, Pointer periodUs);
  }

  private static DeviceNumber utilization(String function, UtilizationGetter getter) {
    return of(
        new NvmlQuery<>(
            function,
            (lib, device, out) ->
                out.ifIntsAvailable(
                    getter.on(lib, device, out.freshScalar(0), out.freshScalar(1)), 0),
            out -> out.unsignedInt(0)));
  }

  private static DeviceNumber memoryErrors(int type, int counter, MemoryLocation where) {
    return of(
        ofLong(
            "nvmlDeviceGetMemoryErrorCounter",
            (lib, device, out) ->
                DeviceStructs.unknownIsUnsupported(
                    lib.nvmlDeviceGetMemoryErrorCounter(
                        device, type, counter, where.code(), out))));
  }

  private static DeviceNumber threshold(int type) {
    return ofInt(
        "nvmlDeviceGetTemperatureThreshold",
        (lib, device, out) -> lib.nvmlDeviceGetTemperatureThreshold(device, type, out));
  }

  private static DeviceNumber powerConstraint(int slot) {
    return of(
        new NvmlQuery<>(
            "nvmlDeviceGetPowerManagementLimitConstraints",
            DeviceStructs.POWER_CONSTRAINTS,
            out -> out.unsignedInt(slot)));
  }

  private static DeviceNumber eccMode(int slot) {
    return of(
        new NvmlQuery<>(
            "nvmlDeviceGetEccMode", DeviceStructs.ECC_MODE, out -> out.unsignedInt(slot)));
  }

  private static DeviceNumber histogram(NvmlQuery.ResultReader<Long> bank) {
    return of(new NvmlQuery<>("nvmlDeviceGetRowRemapperHistogram", DeviceStructs.HISTOGRAM, bank));
  }

  private static DeviceNumber bar1(NvmlQuery.ResultReader<Long> part) {
    return of(new NvmlQuery<>("nvmlDeviceGetBAR1MemoryInfo", DeviceStructs.BAR1, part));
  }

  private static DeviceNumber fabric(
      NvmlQuery.DriverCall call, NvmlQuery.DriverCall first, NvmlQuery.ResultReader<Long> part) {
    return new DeviceNumber(FabricReader.ways(call, first, part));
  }

  private static DeviceNumber platform(NvmlQuery.ResultReader<Long> part) {
    return of(new NvmlQuery<>(Platform.FUNCTION, Platform.ALL, part));
  }

  private static DeviceNumber pci(NvmlQuery.ResultReader<Long> id) {
    return of(new NvmlQuery<>(PciBusId.FUNCTION, DeviceStructs.PCI_IDS, id));
  }

  private static DeviceNumber ofInt(String function, Getter getter) {
    return of(
        new NvmlQuery<>(
            function,
            (lib, device, out) ->
                out.ifIntsAvailable(getter.on(lib, device, out.freshScalar(0)), 0),
            out -> out.unsignedInt(0)));
  }

  private static NvmlQuery<Long> ofLong(String function, Getter getter) {
    return new NvmlQuery<>(
        function,
        (lib, device, out) -> out.ifLongAvailable(getter.on(lib, device, out.freshScalar(0)), 0),
        out -> out.longValue(0));
  }

  private static DeviceNumber of(NvmlQuery<Long> question) {
    return new DeviceNumber(FallbackCalls.only(question));
  }

  private DeviceNumbers() {}
}
