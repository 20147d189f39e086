package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.audit.Auditor;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.LatestReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.micronaut.context.annotation.Requires;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a cycle at a fixed delay and publishes what it saw. Holds no logic of its own. */
@Singleton
@Requires(property = "reclaimer.schedule", value = "true")
class CycleJob {
  private static final Logger log = LoggerFactory.getLogger(CycleJob.class);

  private final ReclaimCycle cycle;
  private final LatestReport latest;
  private final Leadership leadership;
  private final Auditor auditor;

  CycleJob(ReclaimCycle cycle, LatestReport latest, Leadership leadership, Auditor auditor) {
    this.cycle = cycle;
    this.latest = latest;
    this.leadership = leadership;
    this.auditor = auditor;
  }

  /** A failed cycle publishes nothing and has changed nothing that it did not report. */
  @Scheduled(fixedDelay = "${reclaimer.interval}")
  void tick() {
    try {
      CycleReport report = leadership.isHeld() ? cycle.run() : cycle.look();
      latest.publish(report);
      auditor.record(report);
    } catch (ClusterUnreachable e) {
      auditor.clusterUnreachable();
      log.error("cycle abandoned, will try again: {}", e.getMessage(), e);
    }
  }
}
