package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.policy.Judgment;
import java.time.Instant;
import java.util.List;

/**
 * Everything that one cycle saw, thought and did.
 *
 * @param at when it began
 * @param observation what the activity source said
 * @param judgments of every workload with GPUs, in a stable order
 * @param plan what follows from them
 * @param deeds what was done of it; empty for a replica that does not lead
 */
public record CycleReport(
    Instant at, Observation observation, List<Judgment> judgments, Plan plan, List<Deed> deeds) {
  public CycleReport {
    judgments = List.copyOf(judgments);
    deeds = List.copyOf(deeds);
  }
}
