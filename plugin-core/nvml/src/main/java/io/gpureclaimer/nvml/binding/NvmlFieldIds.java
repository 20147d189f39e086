package io.gpureclaimer.nvml.binding;

/** The ids of {@code nvmlDeviceGetFieldValues} that we ask for, under their C names. */
public final class NvmlFieldIds {
  public static final int NVML_FI_DEV_ECC_SBE_VOL_TOTAL = 3;
  public static final int NVML_FI_DEV_ECC_DBE_VOL_TOTAL = 4;
  public static final int NVML_FI_DEV_ECC_SBE_AGG_TOTAL = 5;
  public static final int NVML_FI_DEV_ECC_DBE_AGG_TOTAL = 6;
  public static final int NVML_FI_DEV_RETIRED_DBE = 30;
  public static final int NVML_FI_DEV_RETIRED_PENDING = 31;
  public static final int NVML_FI_DEV_PERF_POLICY_POWER = 74;
  public static final int NVML_FI_DEV_PERF_POLICY_THERMAL = 75;
  public static final int NVML_FI_DEV_PERF_POLICY_SYNC_BOOST = 76;
  public static final int NVML_FI_DEV_PERF_POLICY_BOARD_LIMIT = 77;
  public static final int NVML_FI_DEV_PERF_POLICY_LOW_UTILIZATION = 78;
  public static final int NVML_FI_DEV_PERF_POLICY_RELIABILITY = 79;
  public static final int NVML_FI_DEV_PERF_POLICY_TOTAL_APP_CLOCKS = 80;
  public static final int NVML_FI_DEV_PERF_POLICY_TOTAL_BASE_CLOCKS = 81;
  public static final int NVML_FI_DEV_MEMORY_TEMP = 82;
  public static final int NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION = 83;
  public static final int NVML_FI_DEV_NVLINK_LINK_COUNT = 91;
  public static final int NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX = 138;
  public static final int NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX = 139;
  public static final int NVML_FI_DEV_REMAPPED_COR = 142;
  public static final int NVML_FI_DEV_REMAPPED_UNC = 143;
  public static final int NVML_FI_DEV_REMAPPED_PENDING = 144;
  public static final int NVML_FI_DEV_REMAPPED_FAILURE = 145;
  public static final int NVML_FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_TOTAL = 160;
  public static final int NVML_FI_DEV_NVLINK_ERROR_DL_REPLAY = 161;
  public static final int NVML_FI_DEV_NVLINK_ERROR_DL_RECOVERY = 162;
  public static final int NVML_FI_DEV_NVLINK_ERROR_DL_CRC = 163;
  public static final int NVML_FI_DEV_NVLINK_GET_STATE = 165;
  public static final int NVML_FI_DEV_C2C_LINK_COUNT = 170;
  public static final int NVML_FI_DEV_C2C_LINK_GET_STATUS = 171;
  public static final int NVML_FI_DEV_C2C_LINK_GET_MAX_BW = 172;
  public static final int NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS = 173;
  public static final int NVML_FI_DEV_POWER_INSTANT = 186;
  public static final int NVML_FI_DEV_PCIE_COUNT_TX_BYTES = 197;
  public static final int NVML_FI_DEV_PCIE_COUNT_RX_BYTES = 198;
  public static final int NVML_FI_DEV_NVLINK_COUNT_XMIT_PACKETS = 201;
  public static final int NVML_FI_DEV_NVLINK_COUNT_XMIT_BYTES = 202;
  public static final int NVML_FI_DEV_NVLINK_COUNT_RCV_PACKETS = 203;
  public static final int NVML_FI_DEV_NVLINK_COUNT_RCV_BYTES = 204;
  public static final int NVML_FI_DEV_NVLINK_COUNT_MALFORMED_PACKET_ERRORS = 206;
  public static final int NVML_FI_DEV_NVLINK_COUNT_BUFFER_OVERRUN_ERRORS = 207;
  public static final int NVML_FI_DEV_NVLINK_COUNT_RCV_ERRORS = 208;
  public static final int NVML_FI_DEV_NVLINK_COUNT_RCV_REMOTE_ERRORS = 209;
  public static final int NVML_FI_DEV_NVLINK_COUNT_RCV_GENERAL_ERRORS = 210;
  public static final int NVML_FI_DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS = 211;
  public static final int NVML_FI_DEV_NVLINK_COUNT_XMIT_DISCARDS = 212;
  public static final int NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS = 213;
  public static final int NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS = 214;
  public static final int NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS = 215;
  public static final int NVML_FI_DEV_NVLINK_COUNT_EFFECTIVE_ERRORS = 219;
  public static final int NVML_FI_DEV_NVLINK_COUNT_EFFECTIVE_BER = 220;
  public static final int NVML_FI_DEV_NVLINK_COUNT_SYMBOL_ERRORS = 221;
  public static final int NVML_FI_DEV_NVLINK_COUNT_SYMBOL_BER = 222;
  public static final int NVML_FI_DEV_GET_GPU_RECOVERY_ACTION = 230;
  public static final int NVML_FI_DEV_C2C_LINK_ERROR_INTR = 231;
  public static final int NVML_FI_DEV_C2C_LINK_ERROR_REPLAY = 232;
  public static final int NVML_FI_DEV_C2C_LINK_ERROR_REPLAY_B2B = 233;
  public static final int NVML_FI_DEV_C2C_LINK_POWER_STATE = 234;
  public static final int NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN = 269;
  public static final int NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN = 270;
  public static final int NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN = 271;

  /** Totals over all links; {@code L0} to {@code L5} lie just before them. */
  public static final int NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL = 38;

  public static final int NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL = 45;
  public static final int NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL = 52;
  public static final int NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL = 59;

  /** The first of a row, one for each link. */
  public static final int NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L0 = 32;

  public static final int NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L0 = 39;
  public static final int NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L0 = 46;
  public static final int NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L0 = 53;

  /** The first of a row that goes on to {@code L11}. */
  public static final int NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L6 = 96;

  public static final int NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L6 = 102;
  public static final int NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L6 = 108;
  public static final int NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L6 = 114;

  /** The first of a row of sixteen. */
  public static final int NVML_FI_DEV_NVLINK_COUNT_FEC_HISTORY_0 = 235;

  /** The first of a row of eighteen, in the order of DCGM's own. */
  public static final int NVML_FI_PWR_SMOOTHING_ENABLED = 251;

  private NvmlFieldIds() {}
}
