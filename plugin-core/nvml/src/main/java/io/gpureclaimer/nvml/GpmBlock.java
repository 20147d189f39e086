package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlGpmMetrics;
import java.util.List;

/** One entity's memory for one {@link GpmQuery}. Does not know the query, which may go away. */
final class GpmBlock implements Bulk.Block<Double> {
  private static final String FUNCTION = "nvmlGpmMetricsGet";

  private final List<Integer> ids;
  private final NvmlGpmMetrics metrics;
  private final Bulk<Double> bulk;

  GpmBlock(List<Integer> ids) {
    this.ids = ids;
    this.metrics = new NvmlGpmMetrics(Math.max(1, ids.size()));
    this.bulk = new Bulk<>(this, ids.size());
  }

  NvmlResult<List<NvmlResult<Double>>> ask(Driver driver, long before, long now) {
    return bulk.ask(FUNCTION, count -> driver.code(FUNCTION, lib -> call(lib, count, before, now)));
  }

  private int call(LibNvml lib, int count, long before, long now) {
    metrics.ask(count, before, now);
    return lib.nvmlGpmMetricsGet(metrics.memory());
  }

  @Override
  public void ask(int entry, int thing) {
    metrics.ask(entry, ids.get(thing));
  }

  /** No number is no answer. */
  @Override
  public int code(int entry) {
    int code = metrics.nvmlReturn(entry);
    return code == NVML_SUCCESS && !Double.isFinite(metrics.value(entry))
        ? NVML_ERROR_NOT_SUPPORTED
        : code;
  }

  @Override
  public Double value(int entry) {
    return metrics.value(entry);
  }
}
