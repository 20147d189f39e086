package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.Optional;

/** Tells whether the driver lets us hear of what happens to a GPU. */
public interface Hearing {

  /** Why no XID of this GPU is heard; empty if they are, or nobody has tried yet. */
  Optional<String> whyUnheard(GpuUuid gpu);
}
