package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.util.List;

/** Handles drivers that return an error if there are no new samples. */
final class NoNewSamples {

  /** An empty list where nothing was found; any other answer stays what it is. */
  static <T> NvmlResult<List<T>> ifNone(NvmlResult<List<T>> answer) {
    return answer instanceof Failed<List<T>>(var reason, _, _)
            && (reason == NvmlReturn.NOT_FOUND || reason == NvmlReturn.NO_DATA)
        ? new Value<>(List.of())
        : answer;
  }

  private NoNewSamples() {}
}
