package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.policy.Verdict;
import io.gpureclaimer.reclaimer.policy.VerdictCode;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import jakarta.inject.Singleton;

/** The reclaimer's own metrics. None has a pod's name in its labels. */
@Singleton
final class CycleMetrics {
  private final Gauge workloads;
  private final Gauge idleGpus;
  private final Gauge sourceUp;
  private final Gauge clusterUp;
  private final Gauge lastCycle;
  private final Counter steps;
  private final Counter reclaimedGpus;

  CycleMetrics(CollectorRegistry registry) {
    workloads =
        Gauge.build(
                "gpu_reclaimer_workloads", "Workloads with GPUs, by the verdict of the last cycle.")
            .labelNames("verdict")
            .register(registry);
    idleGpus =
        Gauge.build(
                "gpu_reclaimer_idle_gpus", "GPUs held by workloads that the last cycle found idle.")
            .register(registry);
    sourceUp =
        Gauge.build(
                "gpu_reclaimer_activity_source_up",
                "Whether the activity source answered the last cycle completely.")
            .register(registry);
    clusterUp =
        Gauge.build(
                "gpu_reclaimer_cluster_up",
                "Whether the last cycle had a fresh view of the cluster.")
            .register(registry);
    lastCycle =
        Gauge.build("gpu_reclaimer_last_cycle_timestamp_seconds", "When the last cycle finished.")
            .register(registry);
    steps =
        Counter.build("gpu_reclaimer_steps_total", "Steps of plans, by what came of them.")
            .labelNames("step", "outcome")
            .register(registry);
    reclaimedGpus =
        Counter.build(
                "gpu_reclaimer_reclaimed_gpus_total", "GPUs given back by accepted evictions.")
            .register(registry);
  }

  void record(CycleReport report) {
    sourceUp.set(
        switch (report.observation()) {
          case Observation.Seen _ -> 1;
          case Observation.Blind _ -> 0;
        });
    clusterUp.set(1);
    lastCycle.setToCurrentTime();
    workloads.clear();
    report
        .judgments()
        .forEach(judgment -> workloads.labels(VerdictCode.of(judgment.verdict()).verdict()).inc());
    idleGpus.set(
        report.judgments().stream().mapToInt(judgment -> idleGpus(judgment.verdict())).sum());
    report.deeds().forEach(this::record);
  }

  private void record(Deed deed) {
    steps.labels(Names.of(deed.step()), Names.of(deed)).inc();
    if (deed instanceof Deed.Done(Step.Evict(var due, _))) {
      reclaimedGpus.inc(due.workload().gpusHeld());
    }
  }

  void clusterUnreachable() {
    clusterUp.set(0);
  }

  private static int idleGpus(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Watching _,
          Verdict.Reported _,
          Verdict.ToWarn _,
          Verdict.Warned _,
          Verdict.Notified _,
          Verdict.Due _ ->
          verdict.workload().gpusHeld();
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Active _,
          Verdict.Unknown _,
          Verdict.ToWithdraw _ ->
          0;
    };
  }
}
