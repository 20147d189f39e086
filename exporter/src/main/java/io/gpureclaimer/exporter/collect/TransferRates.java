package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.device.GpuUuid;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Makes rates of the NVLink counters: the difference between two looks over the time between them,
 * in DCGM's own blend of units (KiB per second, divided by 1000, truncated). The first look at a
 * GPU, and a counter that went back, tell nothing.
 */
final class TransferRates {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double DCGM_DIVISOR = 1_000;

  private final LongSupplier nanoTime;

  /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
  private final ConcurrentMap<GpuUuid, Look> last = new ConcurrentHashMap<>();

  TransferRates(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  OptionalDouble next(GpuUuid gpu, long kibibytes) {
    var now = new Look(nanoTime.getAsLong(), kibibytes);
    var before = last.put(gpu, now);
    boolean comparable =
        before != null
            && Long.compareUnsigned(now.kibibytes, before.kibibytes) >= 0
            && now.nanos > before.nanos;
    return comparable ? OptionalDouble.of(rate(before, now)) : OptionalDouble.empty();
  }

  private static double rate(Look before, Look now) {
    double seconds = (now.nanos - before.nanos) / NANOS_PER_SECOND;
    return Math.floor((now.kibibytes - before.kibibytes) / seconds / DCGM_DIVISOR);
  }

  private record Look(long nanos, long kibibytes) {}
}
