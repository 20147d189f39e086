package io.gpureclaimer.verification.gpupack;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/**
 * CUDA driver API, {@code libcuda.so.1}: what runs one kernel on the first device that it shows.
 * Confined to one thread, whose current context it sets. Launching takes eleven arguments, which
 * jnr-ffi does not pass right, so the calls are the JDK's own.
 */
final class CudaDriver {
  static final String LIBRARY = "libcuda.so.1";
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong SIZE = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final int THREADS = 256;
  private static final int MULTIPROCESSORS = 16;
  private static final int BLOCKS_PER_MULTIPROCESSOR = 8;

  private final SymbolLookup library;

  private CudaDriver(SymbolLookup library) {
    this.library = library;
  }

  /** Loads the library; empty where there is none. */
  @SuppressWarnings("restricted")
  static Optional<CudaDriver> load() {
    try {
      return Optional.of(new CudaDriver(SymbolLookup.libraryLookup(LIBRARY, Arena.global())));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** A kernel on the device, ready to run. */
  final class Kernel {
    private final MemorySegment function;
    private final MemorySegment arguments;
    private final MemorySegment rounds;
    private final int blocks;

    private Kernel(MemorySegment function, MemorySegment arguments, MemorySegment rounds, int n) {
      this.function = function;
      this.arguments = arguments;
      this.rounds = rounds;
      this.blocks = n;
    }

    /** Runs it to its end with so many rounds of its loop. */
    void run(int times) {
      rounds.set(INT, 0, times);
      call(
          "cuLaunchKernel",
          List.of(POINTER, INT, INT, INT, INT, INT, INT, INT, POINTER, POINTER, POINTER),
          function,
          blocks,
          1,
          1,
          THREADS,
          1,
          1,
          0,
          MemorySegment.NULL,
          arguments,
          MemorySegment.NULL);
      call("cuCtxSynchronize", List.of());
    }
  }

  /**
   * Compiles a kernel with the parameters (pointer, rounds) for the first device.
   *
   * @param bytes of device memory that are allocated for the life of the process
   * @throws IllegalStateException if a call fails; names it and its code
   */
  Kernel compile(String ptx, String name, long bytes, Arena arena) {
    MemorySegment out = arena.allocate(POINTER);
    call("cuInit", List.of(INT), 0);
    call("cuDeviceGet", List.of(POINTER, INT), out, 0);
    int device = out.get(INT, 0);
    call("cuDeviceGetAttribute", List.of(POINTER, INT, INT), out, MULTIPROCESSORS, device);
    int blocks = BLOCKS_PER_MULTIPROCESSOR * out.get(INT, 0);
    call("cuDevicePrimaryCtxRetain", List.of(POINTER, INT), out, device);
    call("cuCtxSetCurrent", List.of(POINTER), out.get(POINTER, 0));
    call("cuModuleLoadData", List.of(POINTER, POINTER), out, arena.allocateFrom(ptx));
    MemorySegment module = out.get(POINTER, 0);
    call(
        "cuModuleGetFunction",
        List.of(POINTER, POINTER, POINTER),
        out,
        module,
        arena.allocateFrom(name));
    MemorySegment function = out.get(POINTER, 0);
    MemorySegment memory = arena.allocate(SIZE);
    call("cuMemAlloc_v2", List.of(POINTER, SIZE), memory, bytes);
    MemorySegment rounds = arena.allocate(INT);
    MemorySegment arguments = arena.allocate(POINTER, 2);
    arguments.setAtIndex(POINTER, 0, memory);
    arguments.setAtIndex(POINTER, 1, rounds);
    return new Kernel(function, arguments, rounds, blocks);
  }

  private void call(String function, List<MemoryLayout> types, Object... arguments) {
    var address =
        library
            .find(function)
            .orElseThrow(() -> new IllegalStateException(LIBRARY + " has no " + function));
    var descriptor = FunctionDescriptor.of(INT, types.toArray(MemoryLayout[]::new));
    int code = invoke(address, descriptor, arguments);
    if (code != 0) {
      throw new IllegalStateException(function + " returned " + code + " instead of 0");
    }
  }

  @SuppressWarnings("restricted")
  private static int invoke(MemorySegment address, FunctionDescriptor type, Object... arguments) {
    try {
      var result =
          Linker.nativeLinker().downcallHandle(address, type).invokeWithArguments(arguments);
      return (int) result;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a native call threw a checked exception", e);
    }
  }
}
