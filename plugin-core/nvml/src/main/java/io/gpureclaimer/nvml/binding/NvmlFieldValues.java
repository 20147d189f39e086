package io.gpureclaimer.nvml.binding;

import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/**
 * An array of {@link NvmlFieldValue}s in one piece of direct memory, without an object for each
 * entry. The number in an entry is read by its type.
 */
public final class NvmlFieldValues {
  private static final NvmlFieldValue ENTRY = new NvmlFieldValue(Runtime.getSystemRuntime());
  private static final int BYTES = Struct.size(ENTRY);
  private static final long FIELD_ID = ENTRY.fieldId.offset();
  private static final long SCOPE_ID = ENTRY.scopeId.offset();
  private static final long VALUE_TYPE = ENTRY.valueType.offset();
  private static final long NVML_RETURN = ENTRY.nvmlReturn.offset();
  private static final long VALUE = (long) BYTES - Long.BYTES;

  private final Pointer memory;

  /** Room for so many entries. */
  public NvmlFieldValues(int count) {
    this(Memory.allocateDirect(Runtime.getSystemRuntime(), count * BYTES, true));
  }

  /** The entries that lie there. */
  public NvmlFieldValues(Pointer memory) {
    this.memory = memory;
  }

  public Pointer memory() {
    return memory;
  }

  /** Asks in that entry; the rest of it is what we want to find if the driver does not answer. */
  public void ask(int entry, int fieldId, int scopeId) {
    memory.putInt(at(entry, FIELD_ID), fieldId);
    memory.putInt(at(entry, SCOPE_ID), scopeId);
    answer(entry, NvmlConstants.NVML_ERROR_UNKNOWN, 0, 0);
  }

  /** What a driver does. */
  public void answer(int entry, int nvmlReturn, int valueType, long bits) {
    memory.putInt(at(entry, VALUE_TYPE), valueType);
    memory.putInt(at(entry, NVML_RETURN), nvmlReturn);
    memory.putLong(at(entry, VALUE), bits);
  }

  public int fieldId(int entry) {
    return memory.getInt(at(entry, FIELD_ID));
  }

  public int scopeId(int entry) {
    return memory.getInt(at(entry, SCOPE_ID));
  }

  public int nvmlReturn(int entry) {
    return memory.getInt(at(entry, NVML_RETURN));
  }

  public int valueType(int entry) {
    return memory.getInt(at(entry, VALUE_TYPE));
  }

  /** The 32 bits of the value, for the types that are not longer. */
  public int intBits(int entry) {
    return memory.getInt(at(entry, VALUE));
  }

  /** The 64 bits of the value. */
  public long longBits(int entry) {
    return memory.getLong(at(entry, VALUE));
  }

  private static long at(int entry, long member) {
    return (long) entry * BYTES + member;
  }
}
