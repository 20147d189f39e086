package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.attribution.PodsFile;
import io.micronaut.context.annotation.Requires;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;

/**
 * Reads the pods file, on a thread of its own: a network folder that hangs delays no sampling pass.
 */
@Singleton
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
