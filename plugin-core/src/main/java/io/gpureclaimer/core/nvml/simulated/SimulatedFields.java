package io.gpureclaimer.core.nvml.simulated;

import static io.gpureclaimer.core.nvml.binding.NvmlConstants.ALL_LINKS;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_FI_DEV_MEMORY_TEMP;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_FI_DEV_REMAPPED_COR;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_FI_DEV_REMAPPED_FAILURE;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_FI_DEV_REMAPPED_UNC;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_INT;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;

import io.gpureclaimer.core.nvml.binding.NvmlFieldValue;
import java.time.Instant;
import jnr.ffi.Pointer;
import jnr.ffi.Struct;

/** Answers the field values of one simulated card at one moment. */
record SimulatedFields(SimulatedGpu gpu, GpuScript script, Instant now) {

  /** Fills each value; the call as a whole succeeds even if none of them is known. */
  int fill(int count, Pointer values) {
    for (int i = 0; i < count; i++) {
      NvmlFieldValue value = new NvmlFieldValue(values.getRuntime());
      int bytes = Struct.size(value);
      value.useMemory(values.slice((long) i * bytes, bytes));
      value.nvmlReturn.set(fill(value));
    }
    return NVML_SUCCESS;
  }

  private int fill(NvmlFieldValue value) {
    return switch (value.fieldId.intValue()) {
      case NVML_FI_DEV_MEMORY_TEMP ->
          gpu.model().memory() == Model.MemoryKind.HBM
              ? putInt(value, gpu.memoryCelsius(script, now))
              : NVML_ERROR_NOT_SUPPORTED;
      case NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION ->
          putLong(value, gpu.totalMillijoules(script, now));
      case NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX, NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX ->
          gpu.model().nvlinkMibPerSecond() > 0 && value.scopeId.intValue() == ALL_LINKS
              ? putLong(value, gpu.nvlinkKib(script, now))
              : NVML_ERROR_NOT_SUPPORTED;
      case NVML_FI_DEV_REMAPPED_COR, NVML_FI_DEV_REMAPPED_UNC, NVML_FI_DEV_REMAPPED_FAILURE ->
          gpu.model().rowsAreRemapped() ? putInt(value, 0) : NVML_ERROR_NOT_SUPPORTED;
      default -> NVML_ERROR_INVALID_ARGUMENT;
    };
  }

  private static int putInt(NvmlFieldValue value, int number) {
    value.valueType.set(NVML_VALUE_TYPE_UNSIGNED_INT);
    value.value.uiVal.set(number);
    return NVML_SUCCESS;
  }

  private static int putLong(NvmlFieldValue value, long number) {
    value.valueType.set(NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);
    value.value.ullVal.set(number);
    return NVML_SUCCESS;
  }
}
