package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_FB_FREE;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_FB_RESERVED;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_FB_USED;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.DcgmFields;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.Memory;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.Set;

/** Frame buffer memory; only newer drivers report what is reserved. */
@Singleton
public final class MemoryCollector implements Collector {
  private static final DcgmField FB_TOTAL = DcgmFields.field("DEV_FB_TOTAL");

  /** From 0 to 1, whatever its name says. */
  private static final DcgmField FB_USED_SHARE = DcgmFields.field("DEV_FB_USED_PERCENT");

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(FB_TOTAL, DEV_FB_FREE, DEV_FB_USED, DEV_FB_RESERVED, FB_USED_SHARE);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    enter(device.nvml().memory(device.handle()), into);
  }

  @Override
  public void collectInstance(PolledGpu device, PolledGpu.Instance part, Readings into) {
    enter(device.nvml().memory(part.handle()), into);
  }

  private void enter(NvmlResult<Memory> answer, Readings into) {
    into.take(
        answer,
        fields(),
        memory -> {
          into.put(FB_TOTAL, mebibytes(memory.totalBytes()));
          into.put(DEV_FB_FREE, mebibytes(memory.freeBytes()));
          into.put(DEV_FB_USED, mebibytes(memory.usedBytes()));
          memory.reservedBytes().ifPresent(bytes -> into.put(DEV_FB_RESERVED, mebibytes(bytes)));
          long usable = memory.totalBytes() - memory.reservedBytes().orElse(0);
          if (usable > 0) {
            into.put(FB_USED_SHARE, (double) memory.usedBytes() / usable);
          }
        });
  }

  /** Rounded down, as dcgm-exporter does. */
  private static long mebibytes(long bytes) {
    return bytes >>> 20;
  }
}
