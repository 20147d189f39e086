package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;

/**
 * One thing to ask the driver: the call, and how to read what it wrote. Captures nothing, so that
 * asking allocates only the answer.
 *
 * @param function its C name
 */
record NvmlQuery<T>(String function, DriverCall call, ResultReader<T> reading) {

  /** Asks the driver; answers an {@code nvmlReturn_t}. About no GPU, {@code device} is 0. */
  interface DriverCall {
    int on(LibNvml lib, long device, CallMemory out);
  }

  /** Reads what a successful call wrote. */
  interface ResultReader<T> {
    T from(CallMemory out);
  }
}
