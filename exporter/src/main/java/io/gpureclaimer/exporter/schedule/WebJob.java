package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.web.WebFiles;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;

/** Looks again and again whether certificates or passwords have changed. */
@Context
@Order(10)
@Requires(bean = WebFiles.class)
class WebJob {
  private final WebFiles files;
  private final OwnMetrics own;

  WebJob(WebFiles files, OwnMetrics own) {
    this.files = files;
    this.own = own;
  }

  /** On a thread of its own: a folder that hangs holds up nothing else. */
  @Scheduled(fixedDelay = "${web.refresh-after}", scheduler = "web")
  void tick() {
    own.observeWebConfiguration(files.refresh());
  }
}
