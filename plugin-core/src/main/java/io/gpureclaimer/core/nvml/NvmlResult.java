package io.gpureclaimer.core.nvml;

/** The three answers a healthy driver can give to one question about one GPU. */
public sealed interface NvmlResult<T> {

  /** The driver answered. */
  record Value<T>(T value) implements NvmlResult<T> {}

  /** This device or this driver has no answer to this question. Not an error; do not log it. */
  record Unsupported<T>() implements NvmlResult<T> {}

  /**
   * The driver tried and failed; the next pass may succeed.
   *
   * @param code as the driver returned it; tells more than {@code reason} where that is UNKNOWN
   */
  record Failed<T>(NvmlReturn reason, int code) implements NvmlResult<T> {}
}
