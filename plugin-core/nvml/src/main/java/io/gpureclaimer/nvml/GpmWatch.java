package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NO_DATA;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlGpmMetrics;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.WeakHashMap;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * Two GPM samples of one entity: metrics are measured between the last poll and this one. The
 * library's samples are taken at the first look and given back by {@link #close}. Confined as the
 * GPU's handle is.
 */
final class GpmWatch {
  private static final String SUPPORT = "nvmlGpmQueryDeviceSupport";
  private static final String ALLOC = "nvmlGpmSampleAlloc";
  private static final String FREE = "nvmlGpmSampleFree";
  private static final String WHOLE_GPU = "nvmlGpmSampleGet";
  private static final String INSTANCE = "nvmlGpmMigSampleGet";
  private static final int SAMPLES = 2;
  private static final long NONE = 0;

  private final Driver driver;
  private final long device;
  private final OptionalInt instance;
  private final long[] samples = new long[SAMPLES];
  private final Map<GpmQuery, GpmBlock> blocks = new WeakHashMap<>();
  private final Pointer out = Memory.allocateDirect(Runtime.getSystemRuntime(), Long.BYTES, true);

  private boolean supported;
  private int newest;
  private boolean looked;
  private boolean missed;

  /** Nothing is asked yet. */
  GpmWatch(Driver driver, long device, OptionalInt instance) {
    this.driver = driver;
    this.device = device;
    this.instance = instance;
  }

  /**
   * Takes a sample, and measures since the last one; the first call returns nothing. After a sample
   * that failed there is no data for the time between, and the next call reports that.
   */
  NvmlResult<List<NvmlResult<Double>>> read(GpmQuery query, CallMemory memory) {
    int code = prepare(memory);
    if (code != NVML_SUCCESS) {
      return Driver.noAnswer(SUPPORT, code);
    }
    int next = 1 - newest;
    code = sample(samples[next]);
    boolean first = !looked;
    missed |= !first && code != NVML_SUCCESS;
    looked = code == NVML_SUCCESS;
    if (!looked || first) {
      newest = next;
      if (looked && missed) {
        missed = false;
        code = NVML_ERROR_NO_DATA;
      }
      return code == NVML_SUCCESS
          ? new NvmlResult.Value<>(List.of())
          : Driver.noAnswer(instance.isPresent() ? INSTANCE : WHOLE_GPU, code);
    }
    long before = samples[newest];
    newest = next;
    return blocks
        .computeIfAbsent(query, asked -> new GpmBlock(asked.metrics()))
        .ask(driver, before, samples[next]);
  }

  /** Gives the library's samples back; the session must still be open. */
  void close() {
    for (int i = 0; i < SAMPLES; i++) {
      long sample = samples[i];
      samples[i] = NONE;
      if (sample != NONE) {
        driver.code(FREE, lib -> lib.nvmlGpmSampleFree(sample));
      }
    }
    looked = false;
    missed = false;
  }

  /** Makes sure that there is something to sample into; answers a return code. */
  private int prepare(CallMemory memory) {
    if (!supported) {
      int code = driver.code(SUPPORT, lib -> memory.readGpmSupport(lib, device));
      supported = code == NVML_SUCCESS;
      if (!supported) {
        return FallbackCalls.isNotImplemented(code) ? NVML_ERROR_NOT_SUPPORTED : code;
      }
    }
    for (int i = 0; i < SAMPLES; i++) {
      if (samples[i] == NONE) {
        int code = driver.code(ALLOC, lib -> lib.nvmlGpmSampleAlloc(out));
        if (code != NVML_SUCCESS) {
          return code;
        }
        samples[i] = out.getAddress(0);
      }
    }
    return NVML_SUCCESS;
  }

  private int sample(long into) {
    return instance.isPresent()
        ? driver.code(INSTANCE, lib -> ofInstance(lib, instance.getAsInt(), into))
        : driver.code(WHOLE_GPU, lib -> lib.nvmlGpmSampleGet(device, into));
  }

  private int ofInstance(LibNvml lib, int id, long into) {
    return lib.nvmlGpmMigSampleGet(device, id, into);
  }

  /** One entity's memory for one {@link GpmQuery}. Does not know the query, which may go away. */
  static final class GpmBlock implements BulkQuery.QueryBlock<Double> {
    private static final String FUNCTION = "nvmlGpmMetricsGet";
    private static final int LAST_OF_MULTIPROCESSORS = 13;
    private static final int FIRST_OF_CODECS = 30;
    private static final int LAST_OF_CODECS = 51;

    /** A measurement may be a little longer than the time that it is divided by. */
    private static final double MOST_PERCENT = 110;

    private final List<Integer> ids;
    private final NvmlGpmMetrics metrics;
    private final BulkQuery<Double> bulk;

    GpmBlock(List<Integer> ids) {
      this.ids = ids;
      this.metrics = new NvmlGpmMetrics(Math.max(1, ids.size()));
      this.bulk = new BulkQuery<>(this, ids.size());
    }

    NvmlResult<List<NvmlResult<Double>>> ask(Driver driver, long before, long now) {
      return bulk.ask(
          FUNCTION, count -> driver.code(FUNCTION, lib -> call(lib, count, before, now)));
    }

    private int call(LibNvml lib, int count, long before, long now) {
      metrics.ask(count, before, now);
      return lib.nvmlGpmMetricsGet(metrics.memory());
    }

    @Override
    public void ask(int entry, int thing) {
      metrics.ask(entry, ids.get(thing));
    }

    /** No number is no answer. A driver was seen to return a percentage of 113 375 once. */
    @Override
    public int code(int entry) {
      int code = metrics.nvmlReturn(entry);
      double value = metrics.value(entry);
      if (code == NVML_SUCCESS && !Double.isFinite(value)) {
        return NVML_ERROR_NOT_SUPPORTED;
      }
      return code == NVML_SUCCESS && value > MOST_PERCENT && isPercentage(metrics.metricId(entry))
          ? NVML_ERROR_NO_DATA
          : code;
    }

    private static boolean isPercentage(int metric) {
      return metric <= LAST_OF_MULTIPROCESSORS
          || (metric >= FIRST_OF_CODECS && metric <= LAST_OF_CODECS);
    }

    @Override
    public Double value(int entry) {
      return metrics.value(entry);
    }
  }
}
