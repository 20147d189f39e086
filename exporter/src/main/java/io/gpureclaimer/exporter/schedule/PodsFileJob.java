package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.attribution.PodsFile;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;

/**
 * Reads the pods file, on a thread of its own: a network folder that hangs delays no sampling pass.
 */
@Context
@Order(10)
@Requires(bean = PodsFile.class)
class PodsFileJob {
  private final PodsFile file;

  PodsFileJob(PodsFile file) {
    this.file = file;
  }

  /** As often as there are passes, which is when it makes a difference. */
  @Scheduled(fixedDelay = "${sampling.interval}", scheduler = "attribution")
  void tick() {
    file.refresh();
  }
}
