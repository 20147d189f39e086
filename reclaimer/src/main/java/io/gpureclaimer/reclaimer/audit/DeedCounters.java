package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.plan.Step;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;

/** What was done since the start. None has a pod's name in its labels. */
final class DeedCounters {
  private final Counter steps;
  private final Counter reclaimedGpus;
  private final Counter actions;
  private final Counter warnings;

  DeedCounters(CollectorRegistry registry) {
    steps =
        Counter.build("gpu_reclaimer_steps_total", "Steps of plans, by what came of them.")
            .labelNames("step", "outcome")
            .register(registry);
    reclaimedGpus =
        Counter.build(
                "gpu_reclaimer_reclaimed_gpus_total", "GPUs given back by accepted evictions.")
            .register(registry);
    actions =
        Counter.build("gpu_reclaimer_actions_total", "Acts on workloads, by what came of them.")
            .labelNames("kind", "action", "result")
            .register(registry);
    warnings =
        Counter.build(
                "gpu_reclaimer_warnings_total",
                "Warnings, by whether they reached everybody who must have them.")
            .labelNames("delivered")
            .register(registry);
  }

  /**
   * Counts one.
   *
   * @param seen what the cycle saw that it is of
   */
  void count(Deed deed, Observation seen) {
    steps.labels(Names.of(deed.step()), Names.of(deed)).inc();
    switch (deed.step()) {
      case Step.Evict evict ->
          actions.labels(evict.verdict().workload().kind(), Names.of(evict), Names.of(deed)).inc();
      case Step.Warn _ -> warned(deed);
      case Step.Withdraw _, Step.Wait _ -> {}
    }
    if (deed instanceof Deed.Done(Step.Evict(var due, _))) {
      reclaimedGpus.inc(WholeGpus.heldBy(due.workload(), seen));
    }
  }

  private void warned(Deed deed) {
    switch (deed) {
      case Deed.Done _ -> warnings.labels("true").inc();
      case Deed.Failed _ -> warnings.labels("false").inc();
      case Deed.Rehearsed _, Deed.Spared _, Deed.Postponed _, Deed.NotLeading _ -> {}
    }
  }
}
