package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.execution.StepResult;
import io.gpureclaimer.reclaimer.plan.Step;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;

/** Counters of steps and actions since the start. None has a pod's name in its labels. */
final class StepCounters {
  private final Counter steps;
  private final Counter reclaimedGpus;
  private final Counter actions;
  private final Counter warnings;

  StepCounters(CollectorRegistry registry) {
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
   * @param seen the observation of the cycle
   */
  void count(StepResult result, Observation seen) {
    String code = result.result().code();
    steps.labels(result.step().name(), code).inc();
    switch (result.step()) {
      case Step.Act act -> acted(act, result.result(), seen);
      case Step.Warn _ -> warned(result.result());
      case Step.Withdraw _, Step.Wait _ -> {}
    }
  }

  private void acted(Step.Act act, ActionResult result, Observation seen) {
    actions.labels(act.workload().kind(), act.action().name(), result.code()).inc();
    if (result instanceof ActionResult.Done) {
      reclaimedGpus.inc(WholeGpus.heldBy(act.workload(), seen));
    }
  }

  private void warned(ActionResult result) {
    switch (result) {
      case ActionResult.Done _ -> warnings.labels("true").inc();
      case ActionResult.Failed _ -> warnings.labels("false").inc();
      case ActionResult.DryRun _,
          ActionResult.Skipped _,
          ActionResult.Blocked _,
          ActionResult.NotLeading _ -> {}
    }
  }
}
