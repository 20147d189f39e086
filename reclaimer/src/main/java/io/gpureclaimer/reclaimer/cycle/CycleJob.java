package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.audit.Auditor;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;

/** Runs a cycle at a fixed delay and publishes what it saw. Holds no logic of its own. */
@Context
@Order(10)
@Requires(property = "reclaimer.schedule", value = "true")
class CycleJob {
  private final StartupWait startup;
  private final ReclaimCycle cycle;
  private final LatestReport latest;
  private final Leadership leadership;
  private final Auditor auditor;
  private final StartupRetry retry;

  CycleJob(
      StartupWait startup,
      ReclaimCycle cycle,
      LatestReport latest,
      Leadership leadership,
      Auditor auditor,
      StartupRetry retry) {
    this.startup = startup;
    this.cycle = cycle;
    this.latest = latest;
    this.leadership = leadership;
    this.auditor = auditor;
    this.retry = retry;
  }

  /** One cycle; the first one is repeated soon while the source does not answer. */
  @Scheduled(fixedDelay = "${reclaimer.interval}")
  void tick() {
    boolean again = true;
    while (again) {
      again = retry.shouldRetry(sees());
    }
  }

  /** What an abandoned cycle has done is recorded all the same. */
  private boolean sees() {
    auditor.begins();
    try {
      CycleReport planned = latest.get().isEmpty() ? startup.plan() : cycle.plan();
      auditor.planned(planned);
      latest.publish(planned);
      if (leadership.isHeld()) {
        latest.publish(cycle.act(planned, auditor));
      }
      auditor.finished();
      return planned.observation() instanceof Observation.Seen;
    } catch (ClusterUnreachable e) {
      auditor.abandoned(e);
      return false;
    }
  }
}
