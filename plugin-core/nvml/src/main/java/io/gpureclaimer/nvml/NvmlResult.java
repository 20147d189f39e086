package io.gpureclaimer.nvml;

import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Result of one query for one GPU. */
public sealed interface NvmlResult<T> {

  /** The driver answered. */
  record Value<T>(T value) implements NvmlResult<T> {}

  /** This device or this driver has no answer to this question. Not an error; do not log it. */
  record Unsupported<T>() implements NvmlResult<T> {}

  /**
   * The driver tried and failed; the next pass may succeed.
   *
   * @param code as the driver returned it; more specific than {@code reason} where that is UNKNOWN
   * @param function its C name, for people: two failures for one reason are equal; empty if it was
   *     no call of the driver
   */
  record Failed<T>(NvmlReturn reason, int code, String function) implements NvmlResult<T> {
    /** The driver was not called. */
    public Failed(NvmlReturn reason, int code) {
      this(reason, code, "");
    }

    /** The same failure, of another query. */
    <U> Failed<U> of() {
      return new Failed<>(reason, code, function);
    }

    /** The call that failed. */
    public FailedCall call() {
      return new FailedCall(function, reason);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Failed<?>(var otherReason, var otherCode, _)
          && reason == otherReason
          && code == otherCode;
    }

    @Override
    public int hashCode() {
      return Objects.hash(reason, code);
    }
  }

  /**
   * A call of the driver that failed.
   *
   * @param function its C name; empty if it was no call of the driver
   */
  record FailedCall(String function, NvmlReturn reason) {
    /** Its lower-case name in metrics. */
    public String code() {
      return reason.name().toLowerCase(Locale.ROOT);
    }
  }

  /** Goes on with what was answered; another outcome stays what it is. */
  default <U> NvmlResult<U> then(Function<? super T, NvmlResult<U>> next) {
    return switch (this) {
      case Value<T>(var value) -> next.apply(value);
      case Unsupported<T> _ -> new Unsupported<>();
      case Failed<T> failed -> failed.of();
    };
  }

  /** Says what was answered in other words. */
  default <U> NvmlResult<U> map(Function<? super T, U> words) {
    return then(value -> new Value<>(words.apply(value)));
  }
}
