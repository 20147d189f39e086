package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.exporter.collect.fields.NumberRow.mebibytes;
import static io.gpureclaimer.exporter.collect.fields.NumberRow.plain;
import static io.gpureclaimer.exporter.collect.fields.NumberRow.share;
import static io.gpureclaimer.exporter.collect.fields.NumberRow.watts;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.DcgmFields;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.LinkError;
import io.gpureclaimer.nvml.MemoryLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The fields that have a function of their own, with their exact scales. Fields of one call stand
 * together.
 */
final class NumberTable {

  /** NVML's modes that still exist, in DCGM's numbers: default, prohibited, exclusive process. */
  private static final Map<Long, Integer> COMPUTE_MODES = Map.of(0L, 0, 2L, 1, 3L, 2);

  private static final Map<String, MemoryLocation> PLACES =
      new TreeMap<>(
          Map.of(
              "L1", MemoryLocation.L1_CACHE,
              "L2", MemoryLocation.L2_CACHE,
              "DEV", MemoryLocation.DEVICE_MEMORY,
              "REG", MemoryLocation.REGISTER_FILE,
              "TEX", MemoryLocation.TEXTURE_MEMORY,
              "SHM", MemoryLocation.SHARED_MEMORY,
              "CBU", MemoryLocation.CBU,
              "SRM", MemoryLocation.SRAM));

  private NumberTable() {}

  static List<NumberRow> rows() {
    List<NumberRow> rows = new ArrayList<>();
    rows.addAll(clocksAndTemperatures());
    rows.addAll(powerLimits());
    rows.addAll(board());
    rows.addAll(rowsOfAPart());
    rows.addAll(fabric());
    rows.addAll(platform());
    rows.addAll(memoryHealth());
    rows.add(share(DcgmField.JPEG_UTILIZATION, DeviceNumbers.JPEG_UTILIZATION));
    rows.add(share(DcgmField.OFA_UTILIZATION, DeviceNumbers.OFA_UTILIZATION));
    PLACES.forEach(
        (name, place) -> {
          rows.add(plain("DEV_ECC_SBE_VOL_" + name, DeviceNumbers.volatileSingleBitErrors(place)));
          rows.add(plain("DEV_ECC_DBE_VOL_" + name, DeviceNumbers.volatileDoubleBitErrors(place)));
          rows.add(plain("DEV_ECC_SBE_AGG_" + name, DeviceNumbers.aggregateSingleBitErrors(place)));
          rows.add(plain("DEV_ECC_DBE_AGG_" + name, DeviceNumbers.aggregateDoubleBitErrors(place)));
        });
    for (int link = BulkFieldTable.OLD_LINKS; link < BulkFieldTable.LINKS; link++) {
      rows.add(link("CRC_FLIT", link, LinkError.CRC_FLIT));
      rows.add(link("CRC_DATA", link, LinkError.CRC_DATA));
      rows.add(link("REPLAY", link, LinkError.REPLAY));
      rows.add(link("RECOVERY", link, LinkError.RECOVERY));
    }
    rows.addAll(LinkTable.numberRows());
    return rows;
  }

  /** The fields of a MIG instance itself. */
  static List<NumberRow> rowsOfAPart() {
    return List.of(
        mebibytes("DEV_BAR1_TOTAL", DeviceNumbers.BAR1_TOTAL),
        mebibytes("DEV_BAR1_USED", DeviceNumbers.BAR1_USED),
        mebibytes("DEV_BAR1_FREE", DeviceNumbers.BAR1_FREE));
  }

  private static NumberRow link(String name, int link, LinkError kind) {
    return plain(
        "DEV_NVLINK_" + name + "_ERROR_COUNT_L" + link, DeviceNumbers.linkErrors(kind, link));
  }

  private static List<NumberRow> clocksAndTemperatures() {
    return List.of(
        plain("DEV_VIDEO_CLOCK", DeviceNumbers.VIDEO_CLOCK),
        plain("DEV_APP_SM_CLOCK", DeviceNumbers.APPLICATION_SM_CLOCK),
        plain("DEV_APP_MEM_CLOCK", DeviceNumbers.APPLICATION_MEMORY_CLOCK),
        plain("DEV_CLOCK_THROTTLE_REASONS", DeviceNumbers.CLOCKS_EVENT_REASONS),
        plain("DEV_MAX_SM_CLOCK", DeviceNumbers.MAX_SM_CLOCK),
        plain("DEV_MAX_MEM_CLOCK", DeviceNumbers.MAX_MEMORY_CLOCK),
        plain("DEV_MAX_VIDEO_CLOCK", DeviceNumbers.MAX_VIDEO_CLOCK),
        plain("DEV_MEM_MAX_OP_TEMP", DeviceNumbers.MAX_MEMORY_TEMPERATURE),
        plain("DEV_GPU_MAX_OP_TEMP", DeviceNumbers.MAX_GPU_TEMPERATURE),
        plain("DEV_GPU_TEMP_LIMIT", DeviceNumbers.MARGIN_TEMPERATURE),
        plain("DEV_SLOWDOWN_TEMP", DeviceNumbers.SLOWDOWN_TEMPERATURE),
        plain("DEV_SHUTDOWN_TEMP", DeviceNumbers.SHUTDOWN_TEMPERATURE));
  }

  private static List<NumberRow> powerLimits() {
    return List.of(
        watts("DEV_POWER_MGMT_LIMIT", DeviceNumbers.POWER_LIMIT),
        watts("DEV_POWER_MGMT_LIMIT_MIN", DeviceNumbers.MIN_POWER_LIMIT),
        watts("DEV_POWER_MGMT_LIMIT_MAX", DeviceNumbers.MAX_POWER_LIMIT),
        watts("DEV_POWER_MGMT_LIMIT_DEF", DeviceNumbers.DEFAULT_POWER_LIMIT),
        watts("DEV_ENFORCED_POWER_LIMIT", DeviceNumbers.ENFORCED_POWER_LIMIT));
  }

  private static List<NumberRow> board() {
    return List.of(
        plain("CUDA_DRIVER_VERSION", DeviceNumbers.CUDA_DRIVER_VERSION),
        plain("DEV_CUDA_COMPUTE_CAPABILITY", DeviceNumbers.CUDA_COMPUTE_CAPABILITY),
        new NumberRow(
            DcgmFields.field("DEV_COMPUTE_MODE"),
            DeviceNumbers.COMPUTE_MODE,
            NumberTable::computeMode),
        plain("DEV_MINOR_NUMBER", DeviceNumbers.MINOR),
        plain("DEV_PCI_COMBINED_ID", DeviceNumbers.PCI_COMBINED_ID),
        plain("DEV_PCI_SUBSYS_ID", DeviceNumbers.PCI_SUBSYSTEM_ID),
        plain("DEV_VIRTUAL_MODE", DeviceNumbers.VIRTUALIZATION_MODE),
        plain("DEV_PERSISTENCE_MODE", DeviceNumbers.PERSISTENCE_MODE),
        plain("DEV_MIG_MODE", DeviceNumbers.MIG_MODE),
        plain("DEV_CC_MODE", DeviceNumbers.CONFIDENTIAL_COMPUTE_MODE),
        plain("DEV_PSTATE", DeviceNumbers.PERFORMANCE_STATE),
        plain("DEV_FAN_SPEED", DeviceNumbers.FAN_SPEED),
        plain("DEV_PCIE_MAX_LINK_GEN", DeviceNumbers.MAX_PCIE_GENERATION),
        plain("DEV_PCIE_MAX_LINK_WIDTH", DeviceNumbers.MAX_PCIE_WIDTH),
        plain("DEV_PCIE_LINK_GEN", DeviceNumbers.PCIE_GENERATION),
        plain("DEV_PCIE_LINK_WIDTH", DeviceNumbers.PCIE_WIDTH));
  }

  private static List<NumberRow> fabric() {
    return List.of(
        plain("DEV_FABRIC_MANAGER_STATUS", DeviceNumbers.FABRIC_STATUS),
        plain("DEV_FABRIC_HEALTH_MASK", DeviceNumbers.FABRIC_HEALTH_MASK),
        plain("DEV_FABRIC_MANAGER_ERROR_CODE", DeviceNumbers.FABRIC_ERROR),
        plain("DEV_FABRIC_CLIQUE_ID", DeviceNumbers.FABRIC_CLIQUE),
        plain("DEV_FABRIC_HEALTH_SUMMARY", DeviceNumbers.FABRIC_HEALTH_SUMMARY));
  }

  private static List<NumberRow> platform() {
    return List.of(
        plain("DEV_PLATFORM_CHASSIS_SLOT_NUMBER", DeviceNumbers.CHASSIS_SLOT),
        plain("DEV_PLATFORM_TRAY_INDEX", DeviceNumbers.TRAY_INDEX),
        plain("DEV_PLATFORM_HOST_ID", DeviceNumbers.HOST_ID),
        plain("DEV_PLATFORM_PEER_TYPE", DeviceNumbers.PEER_TYPE),
        plain("DEV_PLATFORM_MODULE_ID", DeviceNumbers.MODULE_ID));
  }

  private static List<NumberRow> memoryHealth() {
    return List.of(
        plain("DEV_ECC_CURRENT", DeviceNumbers.ECC_MODE),
        plain("DEV_ECC_PENDING", DeviceNumbers.PENDING_ECC_MODE),
        plain("DEV_THRESHOLD_SRM", DeviceNumbers.SRAM_THRESHOLD_EXCEEDED),
        plain("DEV_BANKS_REMAP_ROWS_AVAIL_MAX", DeviceNumbers.BANKS_WITH_ALL_ROWS),
        plain("DEV_BANKS_REMAP_ROWS_AVAIL_HIGH", DeviceNumbers.BANKS_WITH_MANY_ROWS),
        plain("DEV_BANKS_REMAP_ROWS_AVAIL_PARTIAL", DeviceNumbers.BANKS_WITH_SOME_ROWS),
        plain("DEV_BANKS_REMAP_ROWS_AVAIL_LOW", DeviceNumbers.BANKS_WITH_FEW_ROWS),
        plain("DEV_BANKS_REMAP_ROWS_AVAIL_NONE", DeviceNumbers.BANKS_WITHOUT_ROWS),
        plain("DEV_RETIRED_SBE", DeviceNumbers.PAGES_RETIRED_SINGLE_BIT),
        plain("DEV_MEMORY_UNREPAIRABLE_FLAG", DeviceNumbers.MEMORY_UNREPAIRABLE));
  }

  /** A mode that is no longer supported has no number. */
  private static OptionalDouble computeMode(long mode) {
    Integer number = COMPUTE_MODES.get(mode);
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }
}
