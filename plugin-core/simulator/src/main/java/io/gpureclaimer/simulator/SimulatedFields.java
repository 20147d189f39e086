package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.ALL_LINKS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_INT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_ECC_DBE_AGG_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_ECC_SBE_VOL_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_GET_GPU_RECOVERY_ACTION;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_MEMORY_TEMP;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L0;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L6;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_ERROR_DL_CRC;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_ERROR_DL_RECOVERY;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_ERROR_DL_REPLAY;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_GET_STATE;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_LINK_COUNT;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L6;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PCIE_COUNT_RX_BYTES;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PCIE_COUNT_TX_BYTES;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_POWER;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PERF_POLICY_TOTAL_BASE_CLOCKS;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_POWER_INSTANT;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_COR;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_FAILURE;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_PENDING;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_UNC;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_RETIRED_DBE;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_RETIRED_PENDING;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION;

import io.gpureclaimer.nvml.binding.NvmlFieldValues;
import java.time.Instant;
import jnr.ffi.Pointer;

/** Answers the field values of one simulated card at one moment. */
record SimulatedFields(SimulatedGpu gpu, GpuScript script, Instant now) {
  private static final int LAST_OLD_LINK = 11;
  private static final int FIRST_LINKS = 6;
  private static final int BYTES_PER_KIB = 1024;

  /** Their numbers until driver 580. */
  private static final int SW_THERM_SLOWDOWN = 251;

  private static final int HW_THERM_SLOWDOWN = 252;
  private static final int HW_POWER_BRAKE_SLOWDOWN = 253;

  private static final int PCIE_CARRIES_LESS = 32;

  /** Fills each value; the call as a whole succeeds even if none of them is known. */
  int fill(int count, Pointer memory) {
    var values = new NvmlFieldValues(memory);
    for (int entry = 0; entry < count; entry++) {
      fill(values, entry);
    }
    return NVML_SUCCESS;
  }

  private void fill(NvmlFieldValues values, int entry) {
    int id = values.fieldId(entry);
    switch (id) {
      case NVML_FI_DEV_MEMORY_TEMP ->
          put32(
              values,
              entry,
              gpu.model().memory() == Model.MemoryKind.HBM,
              gpu.memoryCelsius(script, now));
      case NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION ->
          put64(values, entry, true, gpu.totalMillijoules(script, now));
      case NVML_FI_DEV_POWER_INSTANT ->
          put32(values, entry, !script.has(Fault.POWER_UNSUPPORTED), gpu.milliwatts(script, now));
      case NVML_FI_DEV_NVLINK_LINK_COUNT -> put32(values, entry, true, links());
      case NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX, NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX ->
          put64(values, entry, isALink(values.scopeId(entry)), kib(values.scopeId(entry)));
      case NVML_FI_DEV_NVLINK_GET_STATE -> put32(values, entry, isALink(values.scopeId(entry)), 1);
      case NVML_FI_DEV_PCIE_COUNT_TX_BYTES, NVML_FI_DEV_PCIE_COUNT_RX_BYTES ->
          put64(values, entry, links() > 0, kib(ALL_LINKS) * BYTES_PER_KIB / PCIE_CARRIES_LESS);
      case NVML_FI_DEV_REMAPPED_COR,
          NVML_FI_DEV_REMAPPED_UNC,
          NVML_FI_DEV_REMAPPED_PENDING,
          NVML_FI_DEV_REMAPPED_FAILURE ->
          put32(values, entry, gpu.model().rowsAreRemapped(), 0);
      case NVML_FI_DEV_RETIRED_DBE, NVML_FI_DEV_RETIRED_PENDING ->
          put32(values, entry, !gpu.model().rowsAreRemapped(), 0);
      case SW_THERM_SLOWDOWN, HW_THERM_SLOWDOWN, HW_POWER_BRAKE_SLOWDOWN ->
          put64(values, entry, Board.of(gpu.model()).measures(), 0);
      case NVML_FI_DEV_GET_GPU_RECOVERY_ACTION ->
          put64(values, entry, Board.of(gpu.model()).measures(), script.recoveryAction());
      case NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS -> put64(values, entry, true, 0);
      case NVML_FI_DEV_NVLINK_ERROR_DL_REPLAY,
          NVML_FI_DEV_NVLINK_ERROR_DL_RECOVERY,
          NVML_FI_DEV_NVLINK_ERROR_DL_CRC,
          NVML_FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_TOTAL ->
          put64(values, entry, links() > 0, 0);
      default -> fillRow(values, entry, id);
    }
  }

  /** The fields that come in rows: errors of nothing, which never happen here. */
  private void fillRow(NvmlFieldValues values, int entry, int id) {
    boolean errorOfMemory =
        id >= NVML_FI_DEV_ECC_SBE_VOL_TOTAL && id <= NVML_FI_DEV_ECC_DBE_AGG_TOTAL;
    boolean violation =
        id >= NVML_FI_DEV_PERF_POLICY_POWER && id <= NVML_FI_DEV_PERF_POLICY_TOTAL_BASE_CLOCKS;
    int first =
        id >= NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L0
                && id <= NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL
            ? (id - NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L0) % (FIRST_LINKS + 1)
            : -1;
    int later =
        id >= NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L6
                && id <= NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L6 + LAST_OLD_LINK - FIRST_LINKS
            ? FIRST_LINKS + (id - NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L6) % FIRST_LINKS
            : -1;
    if (errorOfMemory || violation) {
      put64(values, entry, true, 0);
    } else if (first >= 0 || later >= 0) {
      put64(values, entry, Math.max(first % FIRST_LINKS, later) < links(), 0);
    } else {
      values.answer(
          entry, isKnown(id) ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT, 0, 0);
    }
  }

  /** Up to where this driver's own list goes; much of it is for other cards. */
  private static boolean isKnown(int id) {
    return id > 0 && id <= HW_POWER_BRAKE_SLOWDOWN;
  }

  private int links() {
    return Board.of(gpu.model()).links();
  }

  private boolean isALink(int scope) {
    return scope == ALL_LINKS ? links() > 0 : scope >= 0 && scope < links();
  }

  /** All links carry the same. */
  private long kib(int scope) {
    long all = gpu.nvlinkKib(script, now);
    return scope == ALL_LINKS ? all : all / Math.max(1, links());
  }

  private static void put32(NvmlFieldValues values, int entry, boolean supported, int number) {
    put(values, entry, supported, NVML_VALUE_TYPE_UNSIGNED_INT, Integer.toUnsignedLong(number));
  }

  private static void put64(NvmlFieldValues values, int entry, boolean supported, long number) {
    put(values, entry, supported, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, number);
  }

  private static void put(
      NvmlFieldValues values, int entry, boolean supported, int type, long bits) {
    if (supported) {
      values.answer(entry, NVML_SUCCESS, type, bits);
    } else {
      values.answer(entry, NVML_ERROR_NOT_SUPPORTED, 0, 0);
    }
  }
}
