package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.execution.NominatedNodes;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;

/**
 * Writes nominated nodes, again whenever the scheduler has cleared them: more often than a cycle
 * and beside it, so that the field is set when the GPUs become free. It reads memory, and writes
 * only what is missing.
 */
@Context
@Order(10)
@Requires(property = "reclaimer.schedule", value = "true")
@Requires(property = "plan.nominate-nodes", value = "true")
class NominationJob {
  private final NominatedNodes nodes;

  NominationJob(NominatedNodes nodes) {
    this.nodes = nodes;
  }

  @Scheduled(fixedDelay = "1s", scheduler = "nominations")
  void tick() {
    nodes.update();
  }
}
