package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.attribution.HpcJobFolder;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;

/**
 * Reads what the batch scheduler writes, on a thread of its own: a network folder that hangs delays
 * nothing else.
 */
@Context
@Order(10)
@Requires(bean = HpcJobFolder.class)
class HpcJobFolderJob {
  private final HpcJobFolder folder;

  HpcJobFolderJob(HpcJobFolder folder) {
    this.folder = folder;
  }

  /** What cannot be understood costs only itself. */
  @Scheduled(fixedDelay = "${attribution.refresh-after}", scheduler = "jobs")
  void tick() {
    folder.refresh();
  }
}
