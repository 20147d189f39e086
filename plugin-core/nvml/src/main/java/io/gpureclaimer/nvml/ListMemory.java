package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INSUFFICIENT_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static jnr.ffi.Memory.allocateDirect;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for a list of structs whose length only the driver knows: grows until the list
 * fits, and is kept for the next one. Confined like the {@link CallMemory} that it belongs to.
 */
final class ListMemory {
  private static final int FIRST_BYTES = 4 << 10;

  /** More than all processes that a node can run; a driver that wants more is out of its mind. */
  private static final int MOST_BYTES = 4 << 20;

  private final Runtime runtime = Runtime.getSystemRuntime();
  private @Nullable Pointer count;
  private @Nullable Pointer entries;
  private int bytes;

  /** A call that takes room for so many entries, and says how many it has filled or would need. */
  interface ListCallFunction {
    int on(Pointer count, Pointer entries);
  }

  /**
   * Makes the call, with more room each time that the driver finds too little, or fills all of it:
   * there may then be more.
   */
  int ask(Struct entry, ListCallFunction call) {
    int size = Struct.size(entry);
    int code = once(Math.max(bytes, FIRST_BYTES), size, call);
    while (bytes < MOST_BYTES
        && (code == NVML_ERROR_INSUFFICIENT_SIZE || (code == NVML_SUCCESS && isFull(size)))) {
      code = once(bytes * 2, size, call);
    }
    return code;
  }

  /** What a successful call has left; {@code entry} stands for one after the other. */
  <S extends Struct, T> List<T> read(S entry, Function<S, T> reading) {
    List<T> list = new ArrayList<>();
    int size = Struct.size(entry);
    int present = Math.clamp(filled(), 0, bytes / size);
    for (int i = 0; i < present; i++) {
      entry.useMemory(present(entries).slice((long) i * size, size));
      list.add(reading.apply(entry));
    }
    return List.copyOf(list);
  }

  private int once(int room, int size, ListCallFunction call) {
    if (entries == null || room > bytes) {
      bytes = room;
      entries = allocateDirect(runtime, bytes, true);
    }
    if (count == null) {
      count = allocateDirect(runtime, Integer.BYTES, true);
    }
    count.putInt(0, bytes / size);
    return call.on(count, entries);
  }

  private boolean isFull(int size) {
    return filled() >= bytes / size;
  }

  private long filled() {
    return Integer.toUnsignedLong(present(count).getInt(0));
  }

  private static Pointer present(@Nullable Pointer memory) {
    if (memory == null) {
      throw new IllegalStateException("a list must be asked for before it is read");
    }
    return memory;
  }
}
