package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.act.Postponement;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.plan.Aftermath;
import io.gpureclaimer.reclaimer.plan.Health;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import java.time.Instant;
import java.util.List;

/**
 * Everything that one cycle saw, thought and did.
 *
 * @param at when it had looked
 * @param cluster what was there
 * @param observation what the activity source said
 * @param judgments of every workload with GPUs, in a stable order
 * @param postponed which of them the plan leaves out for a while
 * @param health whether the look can be built on
 * @param aftermath what became of earlier evictions, found in this look
 * @param plan what follows from the others
 * @param deeds what came of it; empty for a replica that does not lead
 */
public record CycleReport(
    Instant at,
    ClusterView cluster,
    Observation observation,
    List<Judgment> judgments,
    List<Postponement> postponed,
    Health health,
    List<Aftermath> aftermath,
    Plan plan,
    List<Deed> deeds) {
  public CycleReport {
    judgments = List.copyOf(judgments);
    postponed = List.copyOf(postponed);
    aftermath = List.copyOf(aftermath);
    deeds = List.copyOf(deeds);
  }

  /** One that nothing speaks against, with nothing done before. */
  public CycleReport(
      Instant at,
      ClusterView cluster,
      Observation observation,
      List<Judgment> judgments,
      List<Postponement> postponed,
      Plan plan,
      List<Deed> deeds) {
    this(at, cluster, observation, judgments, postponed, Health.GOOD, List.of(), plan, deeds);
  }

  /** The same with what came of it. */
  public CycleReport with(List<Deed> done) {
    return new CycleReport(
        at, cluster, observation, judgments, postponed, health, aftermath, plan, done);
  }
}
