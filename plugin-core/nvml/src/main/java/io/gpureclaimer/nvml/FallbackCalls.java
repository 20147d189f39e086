package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_DEPRECATED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_FUNCTION_NOT_FOUND;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Alternative calls for one value, the best first.
 *
 * @param slot where a GPU's handle remembers the way that worked
 * @param ways at least one
 * @param tryNext the return codes after which the next way is worth a try
 */
record FallbackCalls<T>(int slot, List<NvmlQuery<T>> ways, IntPredicate tryNext) {
  static final int SLOTS = 7;

  /** Of a question with one way there is nothing to remember. */
  private static final int NO_SLOT = 0;

  FallbackCalls {
    ways = List.copyOf(ways);
  }

  /** One way. */
  static <T> FallbackCalls<T> only(NvmlQuery<T> question) {
    return new FallbackCalls<>(NO_SLOT, List.of(question), _ -> false);
  }

  /**
   * For ways that mean the same: go on also where this way is there for the linker's sake only. A
   * way that was found so is remembered once it has answered.
   */
  static boolean isNotAnswered(int code) {
    return isNotImplemented(code) || code == NVML_ERROR_NOT_SUPPORTED;
  }

  /** For ways that mean different things: go on only if this library does not have the way. */
  static boolean isNotImplemented(int code) {
    return code == NVML_ERROR_FUNCTION_NOT_FOUND
        || code == NVML_ERROR_ARGUMENT_VERSION_MISMATCH
        || code == NVML_ERROR_DEPRECATED;
  }
}
