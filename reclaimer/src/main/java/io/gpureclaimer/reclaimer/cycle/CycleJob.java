package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.audit.Auditor;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.LatestReport;
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
  private final FirstLook firstLook;
  private final ReclaimCycle cycle;
  private final LatestReport latest;
  private final Leadership leadership;
  private final Auditor auditor;
  private final Impatience impatience;

  CycleJob(
      FirstLook firstLook,
      ReclaimCycle cycle,
      LatestReport latest,
      Leadership leadership,
      Auditor auditor,
      Impatience impatience) {
    this.firstLook = firstLook;
    this.cycle = cycle;
    this.latest = latest;
    this.leadership = leadership;
    this.auditor = auditor;
    this.impatience = impatience;
  }

  /** One cycle; the very first one is made again soon while it sees nothing. */
  @Scheduled(fixedDelay = "${reclaimer.interval}")
  void tick() {
    boolean again = true;
    while (again) {
      again = impatience.looksAgain(cycleSees());
    }
  }

  /** What an abandoned cycle has done is recorded all the same. */
  private boolean cycleSees() {
    auditor.begins();
    try {
      CycleReport looked = latest.get().isEmpty() ? firstLook.look() : cycle.look();
      auditor.looked(looked);
      latest.publish(looked);
      if (leadership.isHeld()) {
        latest.publish(cycle.act(looked, new Telling(auditor)));
      }
      auditor.finished();
      return looked.observation() instanceof Observation.Seen;
    } catch (ClusterUnreachable e) {
      auditor.abandoned(e);
      return false;
    }
  }
}
