package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.attribution.KubeletHolders;
import io.micronaut.context.annotation.Requires;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;

/**
 * Asks the kubelet who holds what, on a thread of its own: a kubelet that is slow to answer delays
 * no sampling pass.
 */
@Singleton
@Requires(bean = KubeletHolders.class)
class AttributionJob {
  private final KubeletHolders holders;

  AttributionJob(KubeletHolders holders) {
    this.holders = holders;
  }

  /** What the kubelet last said stands for a while when it does not answer. */
  @Scheduled(fixedDelay = "${attribution.refresh-after}", scheduler = "attribution")
  void tick() {
    holders.refresh();
  }
}
