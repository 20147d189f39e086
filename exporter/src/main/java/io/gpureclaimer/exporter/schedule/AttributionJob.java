package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.attribution.PodResourcesCache;
import io.gpureclaimer.exporter.exposition.own.DataSource;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;
import java.time.Clock;

/**
 * Queries the kubelet for allocations, on its own thread: a slow kubelet delays no sampling pass.
 */
@Context
@Order(10)
@Requires(bean = PodResourcesCache.class)
class AttributionJob {
  private final PodResourcesCache holders;
  private final OwnMetrics own;
  private final Clock clock;

  AttributionJob(PodResourcesCache holders, OwnMetrics own, Clock clock) {
    this.holders = holders;
    this.own = own;
    this.clock = clock;
  }

  /** What the kubelet last said stands for a while when it does not answer. */
  @Scheduled(fixedDelay = "${attribution.refresh-after}", scheduler = "attribution")
  void tick() {
    if (holders.refresh()) {
      own.heard(DataSource.POD_RESOURCES, clock.instant());
    }
  }
}
