package io.gpureclaimer.exporter.collect.fields;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.collect.fields.FieldRow.Rate;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Makes rates of counters: the difference between two looks over the time between them, divided by
 * 1000, truncated. That is DCGM's own blend of units for NVLink, whose counters are in KiB, and
 * KB/s for PCIe, whose counters are in bytes. The first look at a counter of a GPU, and a counter
 * that went back, tell nothing.
 */
final class TransferRates {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double DCGM_DIVISOR = 1_000;

  private final MonotonicClock monotonic;

  /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
  private final ConcurrentMap<Counted, CounterSample> last = new ConcurrentHashMap<>();

  TransferRates(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  OptionalDouble next(GpuUuid gpu, Rate rate, long count) {
    var now = new CounterSample(monotonic.nanos(), count);
    var before = last.put(new Counted(gpu, rate), now);
    boolean comparable =
        before != null
            && Long.compareUnsigned(now.count, before.count) >= 0
            && now.nanos > before.nanos;
    return comparable ? OptionalDouble.of(rate(before, now)) : OptionalDouble.empty();
  }

  private static double rate(CounterSample before, CounterSample now) {
    double seconds = (now.nanos - before.nanos) / NANOS_PER_SECOND;
    return Math.floor((now.count - before.count) / seconds / DCGM_DIVISOR);
  }

  private record Counted(GpuUuid gpu, Rate rate) {}

  private record CounterSample(long nanos, long count) {}
}
