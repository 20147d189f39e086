package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_NVLINK_BANDWIDTH_TOTAL;

import io.gpureclaimer.core.device.GpuUuid;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Data over all NVLinks of a GPU, both directions: the difference of two counters over the time
 * between them, in DCGM's own blend of units (KiB per second, divided by 1000). The first look at a
 * GPU, and a counter that went back, tell nothing.
 */
@Singleton
final class NvlinkCollector implements Collector {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double DCGM_DIVISOR = 1_000;

  private final LongSupplier nanoTime;

  /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
  private final ConcurrentMap<GpuUuid, Look> last = new ConcurrentHashMap<>();

  @Inject
  NvlinkCollector() {
    this(System::nanoTime);
  }

  NvlinkCollector(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  @Override
  public String name() {
    return "nvlink";
  }

  @Override
  public void collect(Device device, Readings into) {
    into.take(
        device.nvml().nvlinkTransferredKibibytes(device.handle()),
        kibibytes -> {
          var now = new Look(nanoTime.getAsLong(), kibibytes);
          var before = last.put(device.gpu().uuid(), now);
          if (before != null
              && now.kibibytes() >= before.kibibytes()
              && now.nanos() > before.nanos()) {
            into.put(DEV_NVLINK_BANDWIDTH_TOTAL, now.rateSince(before));
          }
        });
  }

  private record Look(long nanos, long kibibytes) {
    /** Truncated, as DCGM does. */
    double rateSince(Look before) {
      double seconds = (nanos - before.nanos) / NANOS_PER_SECOND;
      return Math.floor((kibibytes - before.kibibytes) / seconds / DCGM_DIVISOR);
    }
  }
}
