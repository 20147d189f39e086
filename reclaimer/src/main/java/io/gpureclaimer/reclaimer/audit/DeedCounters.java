package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.plan.Step;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;

/** What was done since the start. None has a pod's name in its labels. */
final class DeedCounters {
  private final Counter steps;
  private final Counter reclaimedGpus;

  DeedCounters(CollectorRegistry registry) {
    steps =
        Counter.build("gpu_reclaimer_steps_total", "Steps of plans, by what came of them.")
            .labelNames("step", "outcome")
            .register(registry);
    reclaimedGpus =
        Counter.build(
                "gpu_reclaimer_reclaimed_gpus_total", "GPUs given back by accepted evictions.")
            .register(registry);
  }

  void count(Deed deed) {
    steps.labels(Names.of(deed.step()), Names.of(deed)).inc();
    if (deed instanceof Deed.Done(Step.Evict(var due, _))) {
      reclaimedGpus.inc(due.workload().gpusHeld());
    }
  }
}
