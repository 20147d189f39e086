package io.gpureclaimer.core.nvml;

import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_UNKNOWN;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_DOUBLE;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_SIGNED_INT;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_SIGNED_LONG_LONG;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_INT;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_LONG;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;

import io.gpureclaimer.core.nvml.binding.LibNvml;
import io.gpureclaimer.core.nvml.binding.NvmlFieldValue;

/** Asks {@code nvmlDeviceGetFieldValues} for several fields at once: all of them, or none. */
final class Fields {
  static final String FUNCTION = "nvmlDeviceGetFieldValues";

  private final int[] ids;
  private final int scope;

  /** Fields of one scope, at most {@link OutMemory#MAX_FIELDS}. */
  Fields(int scope, int... ids) {
    this.scope = scope;
    this.ids = ids.clone();
  }

  /** The code of the call as a whole, else that of the first field that has none to give. */
  int ask(LibNvml lib, long device, OutMemory out) {
    for (int i = 0; i < ids.length; i++) {
      prepare(out.field(i), ids[i]);
    }
    int code = lib.nvmlDeviceGetFieldValues(device, ids.length, out.fields);
    for (int i = 0; i < ids.length && code == NVML_SUCCESS; i++) {
      code = codeOf(out.field(i));
    }
    return code;
  }

  /** The number in a slot after {@link #ask} has succeeded, read as its type says. */
  static long number(OutMemory out, int slot) {
    NvmlFieldValue field = out.field(slot);
    return switch (field.valueType.get()) {
      case NVML_VALUE_TYPE_DOUBLE -> Math.round(field.value.dVal.get());
      case NVML_VALUE_TYPE_UNSIGNED_INT -> field.value.uiVal.get();
      case NVML_VALUE_TYPE_SIGNED_INT -> field.value.siVal.get();
      default -> field.value.ullVal.get();
    };
  }

  /** The scope and type are ours to write: what an older library leaves alone must be harmless. */
  private void prepare(NvmlFieldValue field, int id) {
    field.fieldId.set(id);
    field.scopeId.set(scope);
    field.valueType.set(0);
    field.nvmlReturn.set(NVML_ERROR_UNKNOWN);
    field.value.ullVal.set(0L);
  }

  /** A field that the library does not know is an invalid argument to it: unsupported, to us. */
  private static int codeOf(NvmlFieldValue field) {
    int code = field.nvmlReturn.get();
    return switch (code) {
      case NVML_ERROR_INVALID_ARGUMENT -> NVML_ERROR_NOT_SUPPORTED;
      case NVML_SUCCESS -> codeOfValue(field);
      default -> code;
    };
  }

  private static int codeOfValue(NvmlFieldValue field) {
    if (!isReadable(field.valueType.get())) {
      return NVML_ERROR_UNKNOWN;
    }
    return isAvailable(field) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
  }

  /** A driver may say in the value, not in the code, that it has none. */
  private static boolean isAvailable(NvmlFieldValue field) {
    return switch (field.valueType.get()) {
      case NVML_VALUE_TYPE_DOUBLE -> Double.isFinite(field.value.dVal.get());
      case NVML_VALUE_TYPE_UNSIGNED_INT, NVML_VALUE_TYPE_SIGNED_INT ->
          field.value.siVal.get() != NVML_VALUE_NOT_AVAILABLE;
      default -> field.value.ullVal.get() != NVML_VALUE_NOT_AVAILABLE;
    };
  }

  private static boolean isReadable(int valueType) {
    return switch (valueType) {
      case NVML_VALUE_TYPE_DOUBLE,
          NVML_VALUE_TYPE_UNSIGNED_INT,
          NVML_VALUE_TYPE_UNSIGNED_LONG,
          NVML_VALUE_TYPE_UNSIGNED_LONG_LONG,
          NVML_VALUE_TYPE_SIGNED_LONG_LONG,
          NVML_VALUE_TYPE_SIGNED_INT ->
          true;
      default -> false;
    };
  }
}
