package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.Optional;

/** State of the subscription to the events of each GPU. */
public interface EventSubscriptionStatus {

  /**
   * Why no XID of this GPU is received; empty if XIDs are received, or before the first attempt.
   */
  Optional<String> whyUnheard(GpuUuid gpu);
}
