package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_DRIVER_NOT_LOADED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_UNINITIALIZED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Several queries in one driver call, each with its own result. A library that refuses the whole
 * call because of one thing that it does not know is asked for each singly, once, and from then on
 * for the others only. Confined as the GPU's handle is.
 */
final class BulkQuery<T> {
  private final QueryBlock<T> block;
  private final int size;

  /** What no call has been refused for. */
  private int[] known;

  /** The memory of such a call: entries, one after the other. */
  interface QueryBlock<T> {

    /** Asks for a thing, counted from zero, in that entry. */
    void ask(int entry, int thing);

    /** The return code of that entry. */
    int code(int entry);

    /** What that entry holds after its code was success. */
    T value(int entry);
  }

  BulkQuery(QueryBlock<T> block, int size) {
    this.block = block;
    this.size = size;
    this.known = IntStream.range(0, size).toArray();
  }

  /**
   * Asks.
   *
   * @param call makes the call for the first so many entries; answers its return code
   * @return for each thing, in order; as a whole what came of the call as a whole
   */
  NvmlResult<List<NvmlResult<T>>> ask(String function, IntUnaryOperator call) {
    for (int entry = 0; entry < known.length; entry++) {
      block.ask(entry, known[entry]);
    }
    int code = known.length == 0 ? NVML_SUCCESS : call.applyAsInt(known.length);
    return code == NVML_ERROR_INVALID_ARGUMENT && known.length > 1
        ? callSingly(function, call)
        : whole(function, code);
  }

  private NvmlResult<List<NvmlResult<T>>> whole(String function, int code) {
    return code == NVML_SUCCESS
        ? new NvmlResult.Value<>(results(function))
        : Driver.noAnswer(function, code);
  }

  private NvmlResult<List<NvmlResult<T>>> callSingly(String function, IntUnaryOperator call) {
    List<NvmlResult<T>> results = allUnsupported();
    BitSet refused = new BitSet();
    for (int thing : known) {
      block.ask(0, thing);
      int code = call.applyAsInt(1);
      switch (code) {
        case NVML_ERROR_INVALID_ARGUMENT -> refused.set(thing);
        case NVML_SUCCESS -> results.set(thing, result(function, 0));
        default -> results.set(thing, Driver.noAnswer(function, code));
      }
    }
    if (refused.cardinality() == known.length) {
      return Driver.noAnswer(function, NVML_ERROR_INVALID_ARGUMENT);
    }
    known = Arrays.stream(known).filter(thing -> !refused.get(thing)).toArray();
    return new NvmlResult.Value<>(results);
  }

  private List<NvmlResult<T>> results(String function) {
    List<NvmlResult<T>> results = allUnsupported();
    for (int entry = 0; entry < known.length; entry++) {
      results.set(known[entry], result(function, entry));
    }
    return results;
  }

  /**
   * What the library does not know is an invalid argument to it: unsupported, to us. One thing that
   * is said to want a session or a driver ends neither: the call was answered.
   */
  private NvmlResult<T> result(String function, int entry) {
    int code = block.code(entry);
    return switch (code) {
      case NVML_SUCCESS -> new NvmlResult.Value<>(block.value(entry));
      case NVML_ERROR_INVALID_ARGUMENT -> new NvmlResult.Unsupported<>();
      case NVML_ERROR_UNINITIALIZED, NVML_ERROR_DRIVER_NOT_LOADED ->
          new NvmlResult.Failed<>(NvmlReturn.of(code), code, function);
      default -> Driver.noAnswer(function, code);
    };
  }

  private List<NvmlResult<T>> allUnsupported() {
    return new ArrayList<>(Collections.nCopies(size, new NvmlResult.Unsupported<>()));
  }
}
