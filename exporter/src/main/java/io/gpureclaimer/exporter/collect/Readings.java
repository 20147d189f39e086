package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.nvml.NvmlResult;
import io.gpureclaimer.core.nvml.NvmlResult.Failed;
import io.gpureclaimer.core.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import io.gpureclaimer.core.nvml.NvmlReturn;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** Gathers one GPU's answers during a pass. Confined to the thread that asks them. */
public final class Readings {
  private final List<Reading> taken = new ArrayList<>();
  private final List<NvmlReturn> failures = new ArrayList<>();

  /** One answer that is one field. */
  <T> void add(DcgmField field, NvmlResult<T> answer, ToDoubleFunction<T> toUnit) {
    take(answer, value -> put(field, toUnit.applyAsDouble(value)));
  }

  /**
   * One answer that is several fields, or not yet one; {@code use} sees it only if there is one.
   */
  <T> void take(NvmlResult<T> answer, Consumer<T> use) {
    switch (answer) {
      case Value<T>(var value) -> use.accept(value);
      case Unsupported<T> _ -> {}
      case Failed<T>(var reason, _) -> failures.add(reason);
    }
  }

  void put(DcgmField field, double value) {
    taken.add(new Reading(field, value));
  }

  /** Exact up to 2 to the 53rd, which no counter of a GPU reaches. */
  void put(DcgmField field, long value) {
    put(field, (double) value);
  }

  /** True once the driver has said that the GPU is gone; what it said before is then void. */
  boolean gpuIsLost() {
    return failures.contains(NvmlReturn.GPU_IS_LOST);
  }

  List<Reading> taken() {
    return taken;
  }

  List<NvmlReturn> failures() {
    return failures;
  }
}
