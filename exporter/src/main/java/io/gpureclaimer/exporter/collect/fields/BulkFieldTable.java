package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.exporter.collect.DcgmFields.field;
import static io.gpureclaimer.exporter.collect.fields.FieldRow.allLinks;
import static io.gpureclaimer.exporter.collect.fields.FieldRow.plain;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_C2C_LINK_COUNT;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_C2C_LINK_ERROR_INTR;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_C2C_LINK_ERROR_REPLAY;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_C2C_LINK_ERROR_REPLAY_B2B;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_C2C_LINK_GET_MAX_BW;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_C2C_LINK_GET_STATUS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_C2C_LINK_POWER_STATE;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_ECC_DBE_AGG_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_ECC_DBE_VOL_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_ECC_SBE_AGG_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_ECC_SBE_VOL_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_GET_GPU_RECOVERY_ACTION;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_MEMORY_TEMP;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_BUFFER_OVERRUN_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_EFFECTIVE_BER;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_EFFECTIVE_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_FEC_HISTORY_0;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_MALFORMED_PACKET_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_RCV_BYTES;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_RCV_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_RCV_GENERAL_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_RCV_PACKETS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_RCV_REMOTE_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_SYMBOL_BER;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_SYMBOL_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_XMIT_BYTES;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_XMIT_DISCARDS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_COUNT_XMIT_PACKETS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L0;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L6;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L0;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L6;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_ERROR_DL_CRC;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_ERROR_DL_RECOVERY;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_ERROR_DL_REPLAY;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L0;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L6;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L0;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L6;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PCIE_COUNT_RX_BYTES;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PCIE_COUNT_TX_BYTES;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_BOARD_LIMIT;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_LOW_UTILIZATION;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_POWER;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_RELIABILITY;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_SYNC_BOOST;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_THERMAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_TOTAL_APP_CLOCKS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_TOTAL_BASE_CLOCKS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_POWER_INSTANT;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_COR;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_FAILURE;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_PENDING;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_UNC;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_RETIRED_DBE;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_RETIRED_PENDING;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_PWR_SMOOTHING_ENABLED;

import io.gpureclaimer.exporter.collect.fields.FieldRow.Plain;
import io.gpureclaimer.exporter.collect.fields.FieldRow.Rate;
import io.gpureclaimer.nvml.FieldQuery.Field;
import io.gpureclaimer.nvml.FieldValue;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Fields that the driver reports in bulk, with their exact scales. */
final class BulkFieldTable {
  /** Of which NVML has counters of its own; later ones are asked for otherwise. */
  static final int OLD_LINKS = 12;

  static final int LINKS = 18;

  private static final int OLDEST_LINKS = 6;
  private static final int HISTOGRAM_BINS = 16;
  private static final long HOTTEST_CELSIUS = 200;
  private static final long LOW_32_BITS = 0xFFFF_FFFFL;
  private static final double MILLI = 1_000;
  private static final int MANTISSA_SHIFT = 8;
  private static final int EXPONENT_MASK = 0xFF;
  private static final int MANTISSA_MASK = 0xF;

  /** In DCGM's order, which is NVML's too. */
  private static final List<String> POWER_SMOOTHING =
      List.of(
          "ENABLED",
          "PRIV_LVL",
          "IMM_RAMP_DOWN_ENABLED",
          "APPLIED_TMP_CEIL",
          "APPLIED_TMP_FLOOR",
          "MAX_PERCENT_TMP_FLOOR_SETTING",
          "MIN_PERCENT_TMP_FLOOR_SETTING",
          "HW_CIRCUITRY_PERCENT_LIFETIME_REMAINING",
          "MAX_NUM_PRESET_PROFILES",
          "PROFILE_PERCENT_TMP_FLOOR",
          "PROFILE_RAMP_UP_RATE",
          "PROFILE_RAMP_DOWN_RATE",
          "PROFILE_RAMP_DOWN_HYST_VAL",
          "ACTIVE_PRESET_PROFILE",
          "ADMIN_OVERRIDE_PERCENT_TMP_FLOOR",
          "ADMIN_OVERRIDE_RAMP_UP_RATE",
          "ADMIN_OVERRIDE_RAMP_DOWN_RATE",
          "ADMIN_OVERRIDE_RAMP_DOWN_HYST_VAL");

  private BulkFieldTable() {}

  static List<FieldRow> rows() {
    List<FieldRow> rows = new ArrayList<>();
    rows.addAll(board());
    rows.addAll(violations());
    rows.addAll(memoryErrors());
    rows.addAll(links());
    rows.addAll(fifthGenerationLinks());
    rows.addAll(rates());
    rows.addAll(LinkTable.fieldRows());
    for (int i = 0; i < POWER_SMOOTHING.size(); i++) {
      rows.add(
          plain("DEV_PWR_SMOOTHING_" + POWER_SMOOTHING.get(i), NVML_FI_PWR_SMOOTHING_ENABLED + i));
    }
    return rows;
  }

  private static List<FieldRow> board() {
    return List.of(
        new Plain(
            field("DEV_MEMORY_TEMP"), Field.of(NVML_FI_DEV_MEMORY_TEMP), BulkFieldTable::plausible),
        plain("DEV_TOTAL_ENERGY_CONSUMPTION", NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION),
        new Plain(
            field("DEV_POWER_USAGE_INSTANT"),
            Field.of(NVML_FI_DEV_POWER_INSTANT),
            milliwatts -> OptionalDouble.of(milliwatts.real() / MILLI)),
        plain("DEV_PCIE_COUNT_CORRECTABLE_ERRORS", NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS),
        plain("DEV_GET_GPU_RECOVERY_ACTION", NVML_FI_DEV_GET_GPU_RECOVERY_ACTION),
        plain("DEV_C2C_LINK_COUNT", NVML_FI_DEV_C2C_LINK_COUNT),
        plain("DEV_C2C_LINK_STATUS", NVML_FI_DEV_C2C_LINK_GET_STATUS),
        plain("DEV_C2C_MAX_BANDWIDTH", NVML_FI_DEV_C2C_LINK_GET_MAX_BW),
        plain("DEV_C2C_LINK_ERROR_INTR", NVML_FI_DEV_C2C_LINK_ERROR_INTR),
        plain("DEV_C2C_LINK_ERROR_REPLAY", NVML_FI_DEV_C2C_LINK_ERROR_REPLAY),
        plain("DEV_C2C_LINK_ERROR_REPLAY_B2B", NVML_FI_DEV_C2C_LINK_ERROR_REPLAY_B2B),
        plain("DEV_C2C_LINK_POWER_STATE", NVML_FI_DEV_C2C_LINK_POWER_STATE));
  }

  /** Nanoseconds since the driver was loaded. */
  private static List<FieldRow> violations() {
    return List.of(
        plain("DEV_POWER_VIOLATION", NVML_FI_DEV_PERF_POLICY_POWER),
        plain("DEV_THERMAL_VIOLATION", NVML_FI_DEV_PERF_POLICY_THERMAL),
        plain("DEV_SYNC_BOOST_VIOLATION", NVML_FI_DEV_PERF_POLICY_SYNC_BOOST),
        plain("DEV_BOARD_LIMIT_VIOLATION", NVML_FI_DEV_PERF_POLICY_BOARD_LIMIT),
        plain("DEV_LOW_UTIL_VIOLATION", NVML_FI_DEV_PERF_POLICY_LOW_UTILIZATION),
        plain("DEV_RELIABILITY_VIOLATION", NVML_FI_DEV_PERF_POLICY_RELIABILITY),
        plain("DEV_TOTAL_APP_CLOCKS_VIOLATION", NVML_FI_DEV_PERF_POLICY_TOTAL_APP_CLOCKS),
        plain("DEV_TOTAL_BASE_CLOCKS_VIOLATION", NVML_FI_DEV_PERF_POLICY_TOTAL_BASE_CLOCKS),
        plain("DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP_NS", NVML_FI_DEV_PERF_POLICY_POWER),
        plain("DEV_CLOCKS_EVENT_REASON_SYNC_BOOST_NS", NVML_FI_DEV_PERF_POLICY_SYNC_BOOST),
        plain(
            "DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS",
            NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN),
        plain(
            "DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS",
            NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN),
        plain(
            "DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS",
            NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN));
  }

  private static List<FieldRow> memoryErrors() {
    return List.of(
        plain("DEV_ECC_SBE_VOL_TOTAL", NVML_FI_DEV_ECC_SBE_VOL_TOTAL),
        plain("DEV_ECC_DBE_VOL_TOTAL", NVML_FI_DEV_ECC_DBE_VOL_TOTAL),
        plain("DEV_ECC_SBE_AGG_TOTAL", NVML_FI_DEV_ECC_SBE_AGG_TOTAL),
        plain("DEV_ECC_DBE_AGG_TOTAL", NVML_FI_DEV_ECC_DBE_AGG_TOTAL),
        plain("DEV_RETIRED_DBE", NVML_FI_DEV_RETIRED_DBE),
        plain("DEV_RETIRED_PENDING", NVML_FI_DEV_RETIRED_PENDING),
        plain("DEV_UNCORRECTABLE_REMAPPED_ROWS", NVML_FI_DEV_REMAPPED_UNC),
        plain("DEV_CORRECTABLE_REMAPPED_ROWS", NVML_FI_DEV_REMAPPED_COR),
        plain("DEV_ROW_REMAP_FAILURE", NVML_FI_DEV_REMAPPED_FAILURE),
        plain("DEV_ROW_REMAP_PENDING", NVML_FI_DEV_REMAPPED_PENDING));
  }

  private static List<FieldRow> links() {
    List<FieldRow> rows = new ArrayList<>();
    rows.add(
        plain(
            "DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL",
            NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL));
    rows.add(
        plain(
            "DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL",
            NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL));
    rows.add(
        plain("DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL", NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL));
    rows.add(
        plain(
            "DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL",
            NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL));
    for (int link = 0; link < OLD_LINKS; link++) {
      rows.add(
          link(
              "DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L",
              link,
              NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L0,
              NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L6));
      rows.add(
          link(
              "DEV_NVLINK_CRC_DATA_ERROR_COUNT_L",
              link,
              NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L0,
              NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L6));
      rows.add(
          link(
              "DEV_NVLINK_REPLAY_ERROR_COUNT_L",
              link,
              NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L0,
              NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L6));
      rows.add(
          link(
              "DEV_NVLINK_RECOVERY_ERROR_COUNT_L",
              link,
              NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L0,
              NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L6));
    }
    return rows;
  }

  private static FieldRow link(String name, int link, int first, int sixth) {
    return plain(name + link, link < OLDEST_LINKS ? first + link : sixth + link - OLDEST_LINKS);
  }

  private static List<FieldRow> fifthGenerationLinks() {
    List<FieldRow> rows =
        new ArrayList<>(
            List.of(
                allLinks("DEV_NVLINK_ERROR_DL_CRC", NVML_FI_DEV_NVLINK_ERROR_DL_CRC),
                allLinks("DEV_NVLINK_ERROR_DL_RECOVERY", NVML_FI_DEV_NVLINK_ERROR_DL_RECOVERY),
                allLinks("DEV_NVLINK_ERROR_DL_REPLAY", NVML_FI_DEV_NVLINK_ERROR_DL_REPLAY),
                allLinks("DEV_NVLINK_COUNT_TX_PACKETS", NVML_FI_DEV_NVLINK_COUNT_XMIT_PACKETS),
                allLinks("DEV_NVLINK_COUNT_TX_BYTES", NVML_FI_DEV_NVLINK_COUNT_XMIT_BYTES),
                allLinks("DEV_NVLINK_COUNT_RX_PACKETS", NVML_FI_DEV_NVLINK_COUNT_RCV_PACKETS),
                allLinks("DEV_NVLINK_COUNT_RX_BYTES", NVML_FI_DEV_NVLINK_COUNT_RCV_BYTES),
                allLinks(
                    "DEV_NVLINK_COUNT_RX_MALFORMED_PACKET_ERRORS",
                    NVML_FI_DEV_NVLINK_COUNT_MALFORMED_PACKET_ERRORS),
                allLinks(
                    "DEV_NVLINK_COUNT_RX_BUFFER_OVERRUN_ERRORS",
                    NVML_FI_DEV_NVLINK_COUNT_BUFFER_OVERRUN_ERRORS),
                allLinks("DEV_NVLINK_COUNT_RX_ERRORS", NVML_FI_DEV_NVLINK_COUNT_RCV_ERRORS),
                allLinks(
                    "DEV_NVLINK_COUNT_RX_REMOTE_ERRORS",
                    NVML_FI_DEV_NVLINK_COUNT_RCV_REMOTE_ERRORS),
                allLinks(
                    "DEV_NVLINK_COUNT_RX_GENERAL_ERRORS",
                    NVML_FI_DEV_NVLINK_COUNT_RCV_GENERAL_ERRORS),
                allLinks(
                    "DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS",
                    NVML_FI_DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS),
                allLinks("DEV_NVLINK_COUNT_TX_DISCARDS", NVML_FI_DEV_NVLINK_COUNT_XMIT_DISCARDS),
                allLinks(
                    "DEV_NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS",
                    NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS),
                allLinks(
                    "DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS",
                    NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS),
                allLinks(
                    "DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS",
                    NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS),
                allLinks(
                    "DEV_NVLINK_COUNT_RX_SYMBOL_ERRORS", NVML_FI_DEV_NVLINK_COUNT_SYMBOL_ERRORS),
                allLinks("DEV_NVLINK_COUNT_SYMBOL_BER", NVML_FI_DEV_NVLINK_COUNT_SYMBOL_BER),
                ratio("DEV_NVLINK_COUNT_SYMBOL_BER_FLOAT", NVML_FI_DEV_NVLINK_COUNT_SYMBOL_BER),
                allLinks("DEV_NVLINK_COUNT_EFFECTIVE_BER", NVML_FI_DEV_NVLINK_COUNT_EFFECTIVE_BER),
                ratio(
                    "DEV_NVLINK_COUNT_EFFECTIVE_BER_FLOAT", NVML_FI_DEV_NVLINK_COUNT_EFFECTIVE_BER),
                allLinks(
                    "DEV_NVLINK_COUNT_EFFECTIVE_ERRORS", NVML_FI_DEV_NVLINK_COUNT_EFFECTIVE_ERRORS),
                allLinks(
                    "DEV_NVLINK_ECC_DATA_ERROR_COUNT_TOTAL",
                    NVML_FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_TOTAL)));
    for (int bin = 0; bin < HISTOGRAM_BINS; bin++) {
      rows.add(
          allLinks(
              "DEV_NVLINK_COUNT_FEC_HISTORY_" + bin, NVML_FI_DEV_NVLINK_COUNT_FEC_HISTORY_0 + bin));
    }
    return rows;
  }

  /** NVLink in KiB/s ÷ 1000, as DCGM has it; PCIe in KB/s. */
  private static List<FieldRow> rates() {
    List<FieldRow> rows = new ArrayList<>();
    Field allSent = Field.ofAllLinks(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX);
    Field allReceived = Field.ofAllLinks(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX);
    rows.add(new Rate(field("DEV_NVLINK_BANDWIDTH_TOTAL"), List.of(allSent, allReceived)));
    rows.add(new Rate(field("DEV_NVLINK_TX_BANDWIDTH_TOTAL"), List.of(allSent)));
    rows.add(new Rate(field("DEV_NVLINK_RX_BANDWIDTH_TOTAL"), List.of(allReceived)));
    for (int link = 0; link < LINKS; link++) {
      Field sent = Field.ofLink(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX, link);
      Field received = Field.ofLink(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX, link);
      rows.add(new Rate(field("DEV_NVLINK_BANDWIDTH_L" + link), List.of(sent, received)));
      rows.add(new Rate(field("DEV_NVLINK_TX_BANDWIDTH_L" + link), List.of(sent)));
      rows.add(new Rate(field("DEV_NVLINK_RX_BANDWIDTH_L" + link), List.of(received)));
    }
    rows.add(
        new Rate(
            field("DEV_PCIE_TX_THROUGHPUT"), List.of(Field.of(NVML_FI_DEV_PCIE_COUNT_TX_BYTES))));
    rows.add(
        new Rate(
            field("DEV_PCIE_RX_THROUGHPUT"), List.of(Field.of(NVML_FI_DEV_PCIE_COUNT_RX_BYTES))));
    return rows;
  }

  /**
   * Whatever type the driver names, this field is an unsigned int; a sensor that is not there reads
   * as nonsense on some boards.
   */
  private static OptionalDouble plausible(FieldValue value) {
    long celsius = value.whole() & LOW_32_BITS;
    return celsius > HOTTEST_CELSIUS ? OptionalDouble.empty() : OptionalDouble.of((double) celsius);
  }

  /** A bit error ratio, which the driver gives as mantissa and exponent of ten. */
  private static FieldRow ratio(String name, int id) {
    return new Plain(field(name), Field.ofAllLinks(id), BulkFieldTable::decoded);
  }

  private static OptionalDouble decoded(FieldValue value) {
    long mantissa = (value.whole() >> MANTISSA_SHIFT) & MANTISSA_MASK;
    long exponent = value.whole() & EXPONENT_MASK;
    return OptionalDouble.of(mantissa * Math.pow(10, (double) -exponent));
  }
}
