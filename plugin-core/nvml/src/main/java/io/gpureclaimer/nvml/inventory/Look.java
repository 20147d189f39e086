package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.GpuHandle;
import org.jspecify.annotations.Nullable;

/** What a look at one GPU brought. */
sealed interface Look {

  /** It told what has to be known. */
  record Seen(GpuFacts facts, Counters counters, GpuHandle handle) implements Look {
    GpuUuid uuid() {
      return facts.gpu().uuid();
    }
  }

  /** It did not; {@code uuid} is null if it told not even that. */
  record Failed(int index, @Nullable GpuUuid uuid, String reason) implements Look {}

  /** It drives a display and is none of ours. */
  record Display() implements Look {}
}
