package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.web.WebConfigFiles;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;

/** Reloads certificates and passwords that have changed. */
@Context
@Order(10)
@Requires(bean = WebConfigFiles.class)
class WebJob {
  private final WebConfigFiles files;
  private final OwnMetrics own;

  WebJob(WebConfigFiles files, OwnMetrics own) {
    this.files = files;
    this.own = own;
  }

  /** On a thread of its own: a folder that hangs holds up nothing else. */
  @Scheduled(fixedDelay = "${web.refresh-after}", scheduler = "web")
  void tick() {
    own.observeWebConfiguration(files.refresh());
  }
}
