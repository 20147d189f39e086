package io.gpureclaimer.nvml;

import java.util.function.Function;

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

  /** Goes on with what was answered; another outcome stays what it is. */
  default <U> NvmlResult<U> then(Function<? super T, NvmlResult<U>> next) {
    return switch (this) {
      case Value<T>(var value) -> next.apply(value);
      case Unsupported<T> _ -> new Unsupported<>();
      case Failed<T>(var reason, var code) -> new Failed<>(reason, code);
    };
  }

  /** Says what was answered in other words. */
  default <U> NvmlResult<U> map(Function<? super T, U> words) {
    return then(value -> new Value<>(words.apply(value)));
  }
}
