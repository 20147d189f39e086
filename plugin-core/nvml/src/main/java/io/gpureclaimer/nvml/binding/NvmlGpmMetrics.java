package io.gpureclaimer.nvml.binding;

import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * {@code nvmlGpmMetricsGet_t} of {@code nvml.h}, cut off after the metrics that are asked for: the
 * library reads at most {@code numMetrics}, and its array grows from version to version. Bound by
 * offset, because an object for each member of each metric would be waste.
 */
public final class NvmlGpmMetrics {
  /** What {@code version} must hold before a call. */
  public static final int VERSION = 1;

  public static final int VERSION_AT = 0;
  public static final int NUM_METRICS_AT = 4;
  public static final int SAMPLE_1_AT = 8;
  public static final int SAMPLE_2_AT = 16;
  public static final int METRICS_AT = 24;

  /** Size of an {@code nvmlGpmMetric_t}, and where its members are. */
  public static final int METRIC_BYTES = 40;

  public static final int METRIC_ID_AT = 0;
  public static final int NVML_RETURN_AT = 4;
  public static final int VALUE_AT = 8;

  private final Pointer memory;

  /** Room for so many metrics. */
  public NvmlGpmMetrics(int count) {
    this(
        Memory.allocateDirect(Runtime.getSystemRuntime(), METRICS_AT + count * METRIC_BYTES, true));
  }

  /** The struct that lies there. */
  public NvmlGpmMetrics(Pointer memory) {
    this.memory = memory;
  }

  public Pointer memory() {
    return memory;
  }

  /** Asks for the first so many metrics, between two samples. */
  public void ask(int count, long sample1, long sample2) {
    memory.putInt(VERSION_AT, VERSION);
    memory.putInt(NUM_METRICS_AT, count);
    memory.putAddress(SAMPLE_1_AT, sample1);
    memory.putAddress(SAMPLE_2_AT, sample2);
  }

  /** Asks in that entry; the rest of it is what we want to find if the driver does not answer. */
  public void ask(int entry, int metricId) {
    memory.putInt(at(entry, METRIC_ID_AT), metricId);
    answer(entry, NvmlConstants.NVML_ERROR_UNKNOWN, Double.NaN);
  }

  /** What a driver does. */
  public void answer(int entry, int nvmlReturn, double value) {
    memory.putInt(at(entry, NVML_RETURN_AT), nvmlReturn);
    memory.putDouble(at(entry, VALUE_AT), value);
  }

  public int version() {
    return memory.getInt(VERSION_AT);
  }

  public int count() {
    return memory.getInt(NUM_METRICS_AT);
  }

  public long sample1() {
    return memory.getAddress(SAMPLE_1_AT);
  }

  public long sample2() {
    return memory.getAddress(SAMPLE_2_AT);
  }

  public int metricId(int entry) {
    return memory.getInt(at(entry, METRIC_ID_AT));
  }

  public int nvmlReturn(int entry) {
    return memory.getInt(at(entry, NVML_RETURN_AT));
  }

  public double value(int entry) {
    return memory.getDouble(at(entry, VALUE_AT));
  }

  private static long at(int entry, int member) {
    return METRICS_AT + (long) entry * METRIC_BYTES + member;
  }
}
