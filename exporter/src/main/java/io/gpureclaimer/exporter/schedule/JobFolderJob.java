package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.attribution.JobFolder;
import io.micronaut.context.annotation.Requires;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;

/** Reads what the batch scheduler writes, on the thread that asks the kubelet too. */
@Singleton
@Requires(bean = JobFolder.class)
class JobFolderJob {
  private final JobFolder folder;

  JobFolderJob(JobFolder folder) {
    this.folder = folder;
  }

  /** What cannot be understood costs only itself. */
  @Scheduled(fixedDelay = "${attribution.refresh-after}", scheduler = "attribution")
  void tick() {
    folder.refresh();
  }
}
