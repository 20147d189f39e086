package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_FUNCTION_NOT_FOUND;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static java.util.Objects.requireNonNull;

import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.binding.LibNvml;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Calls the library; the only place where return codes are interpreted. */
final class Driver {
  private static final long NO_DEVICE = 0;

  private final LibNvml lib;

  /** Functions that the library has proved to lack, so that the search is not repeated. */
  private final Set<String> absent = ConcurrentHashMap.newKeySet();

  private volatile @Nullable FieldNumbers numbers;

  Driver(LibNvml lib) {
    this.lib = lib;
  }

  /** Asks one GPU one thing. */
  <T> NvmlResult<T> ask(NvmlQuery<T> question, GpuHandle gpu) {
    return answer(question, code(question, gpu.device(), gpu.out()), gpu.out());
  }

  /** Asks one GPU one thing in the best way that works for it, and remembers the way. */
  <T> NvmlResult<T> ask(FallbackCalls<T> alternatives, GpuHandle gpu) {
    List<NvmlQuery<T>> ways = alternatives.ways();
    if (ways.size() == 1) {
      return ask(ways.getFirst(), gpu);
    }
    int way = gpu.settledOn(alternatives.slot());
    int code = code(ways.get(way), gpu.device(), gpu.out());
    for (int next = way + 1; next < ways.size() && alternatives.tryNext().test(code); next++) {
      int nextCode = code(ways.get(next), gpu.device(), gpu.out());
      if (nextCode != NVML_ERROR_FUNCTION_NOT_FOUND) {
        way = next;
        code = nextCode;
      }
    }
    if (code == NVML_SUCCESS
        || (code == NVML_ERROR_NOT_SUPPORTED && !alternatives.tryNext().test(code))) {
      gpu.settle(alternatives.slot(), way);
    }
    return answer(ways.get(way), code, gpu.out());
  }

  /** As {@link #ask(NvmlQuery, GpuHandle)}, in two steps: the first, which answers a code. */
  int put(NvmlQuery<?> question, GpuHandle gpu) {
    return code(question, gpu.device(), gpu.out());
  }

  /** Asks one GPU one thing in the first way that the library has. */
  <T> NvmlResult<T> ask(List<NvmlQuery<T>> ways, GpuHandle gpu) {
    FirstAttempt<T> asked = firstPresent(ways, gpu.device(), gpu.out());
    return answer(asked.way(), asked.code(), gpu.out());
  }

  /** Asks something that is not about one GPU, with memory of the caller's own. */
  <T> NvmlResult<T> ask(List<NvmlQuery<T>> ways, CallMemory out) {
    FirstAttempt<T> asked = firstPresent(ways, NO_DEVICE, out);
    return answer(asked.way(), asked.code(), out);
  }

  /** Asks something that is not about one GPU, in the first way that the library has. */
  <T> NvmlResult<T> ask(List<NvmlQuery<T>> ways) {
    return ask(ways, new CallMemory());
  }

  /** As {@link #ask(List)}, where the session cannot go on without an answer. */
  <T> T demand(List<NvmlQuery<T>> ways) {
    CallMemory out = new CallMemory();
    FirstAttempt<T> asked = firstPresent(ways, NO_DEVICE, out);
    if (asked.code() != NVML_SUCCESS) {
      throw new NvmlException(asked.way().function(), asked.code());
    }
    return asked.way().reading().from(out);
  }

  /** As {@link #ask(List)}, where no answer changes anything. */
  void run(List<NvmlQuery<Boolean>> ways) {
    firstPresent(ways, NO_DEVICE, new CallMemory());
  }

  private <T> FirstAttempt<T> firstPresent(List<NvmlQuery<T>> ways, long device, CallMemory out) {
    @Nullable FirstAttempt<T> asked = null;
    for (NvmlQuery<T> way : ways) {
      asked = new FirstAttempt<>(way, code(way, device, out));
      if (asked.code() != NVML_ERROR_FUNCTION_NOT_FOUND) {
        return asked;
      }
    }
    return requireNonNull(asked, "a question needs at least one way to ask it");
  }

  /** Which numbers this library gives to fields; asked until it is answered. */
  FieldNumbers fieldNumbers() {
    FieldNumbers known = numbers;
    if (known == null && ask(SessionQueries.DRIVER_VERSION) instanceof Value<String>(var version)) {
      known = FieldNumbers.ofDriver(version);
      numbers = known;
    }
    return known == null ? FieldNumbers.UNKNOWN : known;
  }

  /** Makes a call to that function, unless the library is known to lack it. */
  int code(String function, ToIntFunction<LibNvml> call) {
    if (isAbsent(function)) {
      return NVML_ERROR_FUNCTION_NOT_FOUND;
    }
    try {
      return call.applyAsInt(lib);
    } catch (UnsatisfiedLinkError _) {
      return absent(function);
    }
  }

  private int code(NvmlQuery<?> question, long device, CallMemory out) {
    if (isAbsent(question.function())) {
      return NVML_ERROR_FUNCTION_NOT_FOUND;
    }
    try {
      return question.call().on(lib, device, out);
    } catch (UnsatisfiedLinkError _) {
      return absent(question.function());
    } finally {
      Reference.reachabilityFence(out);
    }
  }

  private boolean isAbsent(String function) {
    return !absent.isEmpty() && absent.contains(function);
  }

  private int absent(String function) {
    absent.add(function);
    return NVML_ERROR_FUNCTION_NOT_FOUND;
  }

  private record FirstAttempt<T>(NvmlQuery<T> way, int code) {}

  /** What came of a question; the value is read only if there is one. */
  static <T> NvmlResult<T> answer(NvmlQuery<T> question, int code, CallMemory out) {
    return code == NVML_SUCCESS
        ? new Value<>(question.reading().from(out))
        : noAnswer(question.function(), code);
  }

  /** What a return code of that function means, other than success. */
  static <T> NvmlResult<T> noAnswer(String function, int code) {
    NvmlReturn reason = NvmlReturn.of(code);
    return switch (reason) {
      case SUCCESS -> throw new IllegalArgumentException(function + " was answered");
      case NOT_SUPPORTED, FUNCTION_NOT_FOUND, DEPRECATED -> new Unsupported<>();
      case UNINITIALIZED, DRIVER_NOT_LOADED -> throw new NvmlException(function, code);
      default -> new Failed<>(reason, code, function);
    };
  }
}
