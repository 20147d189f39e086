package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_UNKNOWN;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_DOUBLE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_SIGNED_INT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_SIGNED_LONG_LONG;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_INT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_LONG;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_SHORT;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlFieldValues;
import java.util.List;

/** One GPU's memory for one {@link FieldQuery}. Does not know the query, which may go away. */
final class FieldBlock implements BulkQuery.QueryBlock<FieldValue> {
  static final String FUNCTION = "nvmlDeviceGetFieldValues";

  /** Of an unsigned short, all bits. */
  private static final int SHORT_BITS = 0xFFFF;

  private final List<FieldQuery.Field> fields;
  private final NvmlFieldValues values;
  private final BulkQuery<FieldValue> bulk;
  private final boolean numbersDiffer;
  private FieldNumbers numbers = FieldNumbers.NEWEST;

  FieldBlock(List<FieldQuery.Field> fields) {
    this.fields = fields;
    this.values = new NvmlFieldValues(Math.max(1, fields.size()));
    this.bulk = new BulkQuery<>(this, fields.size());
    this.numbersDiffer = fields.stream().anyMatch(field -> FieldNumbers.hasMoved(field.id()));
  }

  NvmlResult<List<NvmlResult<FieldValue>>> ask(Driver driver, long device) {
    if (numbersDiffer) {
      numbers = driver.fieldNumbers();
    }
    return bulk.ask(FUNCTION, count -> driver.code(FUNCTION, lib -> call(lib, device, count)));
  }

  private int call(LibNvml lib, long device, int count) {
    return lib.nvmlDeviceGetFieldValues(device, count, values.memory());
  }

  @Override
  public void ask(int entry, int thing) {
    FieldQuery.Field field = fields.get(thing);
    values.ask(entry, numbers.of(field.id()), field.scope());
  }

  @Override
  public int code(int entry) {
    int code = values.nvmlReturn(entry);
    return code == NVML_SUCCESS ? codeOfValue(entry) : code;
  }

  /** A driver may say in the value, not in the code, that it has none. */
  private int codeOfValue(int entry) {
    boolean available =
        switch (values.valueType(entry)) {
          case NVML_VALUE_TYPE_DOUBLE ->
              Double.isFinite(Double.longBitsToDouble(values.longBits(entry)));
          case NVML_VALUE_TYPE_UNSIGNED_INT, NVML_VALUE_TYPE_SIGNED_INT ->
              values.intBits(entry) != NVML_VALUE_NOT_AVAILABLE;
          case NVML_VALUE_TYPE_UNSIGNED_SHORT -> shortBits(entry) != SHORT_BITS;
          default -> values.longBits(entry) != NVML_VALUE_NOT_AVAILABLE;
        };
    if (!isReadable(values.valueType(entry))) {
      return NVML_ERROR_UNKNOWN;
    }
    return available ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
  }

  private static boolean isReadable(int type) {
    return type >= NVML_VALUE_TYPE_DOUBLE && type <= NVML_VALUE_TYPE_UNSIGNED_SHORT;
  }

  private int shortBits(int entry) {
    return values.intBits(entry) & SHORT_BITS;
  }

  @Override
  public FieldValue value(int entry) {
    return switch (values.valueType(entry)) {
      case NVML_VALUE_TYPE_DOUBLE ->
          new FieldValue.Real(Double.longBitsToDouble(values.longBits(entry)));
      case NVML_VALUE_TYPE_UNSIGNED_INT ->
          new FieldValue.Unsigned(Integer.toUnsignedLong(values.intBits(entry)));
      case NVML_VALUE_TYPE_UNSIGNED_SHORT -> new FieldValue.Unsigned(shortBits(entry));
      case NVML_VALUE_TYPE_SIGNED_INT -> new FieldValue.Signed(values.intBits(entry));
      case NVML_VALUE_TYPE_SIGNED_LONG_LONG -> new FieldValue.Signed(values.longBits(entry));
      case NVML_VALUE_TYPE_UNSIGNED_LONG, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG ->
          new FieldValue.Unsigned(values.longBits(entry));
      default -> throw new IllegalStateException("a value without a type that can be read");
    };
  }
}
