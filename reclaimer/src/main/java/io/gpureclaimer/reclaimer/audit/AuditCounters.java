package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.plan.PlanHistory.FollowUp;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep.Refused;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep.Transition;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counters of decisions, steps and follow-ups since the start. None has the name of a pod in its
 * labels. Confined to the thread of the cycle.
 */
final class AuditCounters {
  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final Counter decisions;
  private final Counter idleSeconds;
  private final Counter steps;
  private final Counter reclaimedGpus;
  private final Counter actions;
  private final Counter warnings;
  private final Counter regrets;
  private final Counter unblocked;
  private final Counter overtaken;
  private final Counter reclaimedSeconds;
  private final Counter restores;
  private final Counter contested;

  private Map<String, VerdictCode> decided = Map.of();
  private Optional<Instant> lastCycle = Optional.empty();

  AuditCounters(CollectorRegistry registry) {
    decisions =
        Counter.build(
                "gpu_reclaimer_decisions_total",
                "Verdict changes of workloads, by the new verdict.")
            .labelNames("verdict", "reason")
            .register(registry);
    idleSeconds =
        Counter.build(
                "gpu_reclaimer_idle_gpu_seconds_total",
                "Seconds for which whole GPUs were allocated and idle, as observed "
                    + "by cycles; without protected workloads.")
            .labelNames("namespace", "class")
            .register(registry);
    steps =
        Counter.build("gpu_reclaimer_steps_total", "Steps of plans, by result.")
            .labelNames("step", "outcome")
            .register(registry);
    reclaimedGpus =
        Counter.build("gpu_reclaimer_reclaimed_gpus_total", "GPUs freed by accepted evictions.")
            .register(registry);
    actions =
        Counter.build("gpu_reclaimer_actions_total", "Actions on workloads, by result.")
            .labelNames("kind", "action", "result")
            .register(registry);
    warnings =
        Counter.build(
                "gpu_reclaimer_warnings_total", "Warnings, by delivery to all required receivers.")
            .labelNames("delivered")
            .register(registry);
    regrets =
        Counter.build(
                "gpu_reclaimer_regrets_total",
                "Evicted pods that were created again within an hour.")
            .register(registry);
    unblocked =
        Counter.build(
                "gpu_reclaimer_pending_unblocked_total",
                "Pending pods that got a node after an eviction for them.")
            .register(registry);
    overtaken =
        Counter.build(
                "gpu_reclaimer_pending_overtaken_total",
                "Pending pods whose freed GPUs were allocated to other pods.")
            .register(registry);
    reclaimedSeconds =
        Counter.build(
                "gpu_reclaimer_reclaimed_gpu_seconds_total",
                "Seconds for which GPUs and MIG slices were free because of actions "
                    + "on owners, as observed by cycles.")
            .labelNames("action")
            .register(registry);
    restores =
        Counter.build(
                "gpu_reclaimer_restores_total",
                "Restorations of owners, by cause and result; a refused one is "
                    + "tried again in each cycle.")
            .labelNames("trigger", "result")
            .register(registry);
    contested =
        Counter.build(
                "gpu_reclaimer_contested_actions_total",
                "Actions on owners that others reverted within an hour.")
            .register(registry);
  }

  void onTransition(Transition transition) {
    if (transition.progress().state() == ReclamationState.RESTORED) {
      transition.trigger().ifPresent(trigger -> restores.labels(trigger.code(), "restored").inc());
    } else if (transition.progress().state() == ReclamationState.CONTESTED) {
      contested.inc();
    }
  }

  void onRefusal(Refused refused) {
    refused.trigger().ifPresent(trigger -> restores.labels(trigger.code(), "refused").inc());
  }

  /** Of the time since the last cycle, only that for which the GPUs are known to be free. */
  private void countReclaimedSeconds(CycleReport report, Instant lastCycle) {
    report.cluster().reclamations().stream()
        .flatMap(List::stream)
        .flatMap(record -> record.status().stream())
        .filter(progress -> progress.state() == ReclamationState.RECLAIMED)
        .forEach(
            progress -> {
              Instant from = progress.times().reclaimedAt().orElse(report.at());
              Duration free =
                  Duration.between(from.isAfter(lastCycle) ? from : lastCycle, report.at());
              if (free.isPositive()) {
                reclaimedSeconds
                    .labels(progress.action())
                    .inc(progress.devices() * free.toMillis() / MILLIS_PER_SECOND);
              }
            });
  }

  void onPlan(CycleReport report) {
    var now = new HashMap<String, VerdictCode>();
    for (Judgment judgment : report.judgments()) {
      Verdict verdict = judgment.verdict();
      VerdictCode code = VerdictCode.of(verdict);
      String uid = verdict.workload().uid();
      now.put(uid, code);
      if (!code.equals(decided.get(uid))) {
        decisions.labels(code.verdict(), code.reason()).inc();
      }
    }
    for (FollowUp followUp : report.followUps()) {
      switch (followUp) {
        case FollowUp.Recreated _ -> regrets.inc();
        case FollowUp.PodBound _ -> unblocked.inc();
        case FollowUp.TakenByOthers _ -> overtaken.inc();
        case FollowUp.PodGone _, FollowUp.NotScheduled _ -> {}
      }
    }
    lastCycle.ifPresent(last -> countReclaimedSeconds(report, last));
    lastCycle.ifPresent(last -> countIdleSeconds(report, Duration.between(last, report.at())));
    decided = Map.copyOf(now);
    lastCycle = Optional.of(report.at());
  }

  /** Of the time since the last cycle, only that for which a workload is known to be idle. */
  private void countIdleSeconds(CycleReport report, Duration sinceLastCycle) {
    for (Judgment judgment : report.judgments()) {
      Verdict verdict = judgment.verdict();
      verdict
          .idleTime()
          .map(idleFor -> idleFor.compareTo(sinceLastCycle) < 0 ? idleFor : sinceLastCycle)
          .filter(Duration::isPositive)
          .ifPresent(
              idle ->
                  idleSeconds
                      .labels(verdict.workload().namespace(), workloadClass(judgment))
                      .inc(
                          WholeGpus.heldBy(verdict.workload(), report.observation())
                              * idle.toMillis()
                              / MILLIS_PER_SECOND));
    }
  }

  private static String workloadClass(Judgment judgment) {
    return judgment.policy().map(policy -> policy.workloadClass().value().text()).orElse("unknown");
  }

  void onResult(StepResult result, Observation seen) {
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
          ActionResult.Awaiting _,
          ActionResult.NotLeading _ -> {}
    }
  }

  /**
   * Whole GPUs that a workload holds. A resource claim does not say whether a device is a whole
   * GPU, so only claimed devices that were observed as whole GPUs count.
   */
  static final class WholeGpus {
    private WholeGpus() {}

    static int heldBy(Workload workload, Observation observation) {
      int requested = workload.gpusHeld();
      return workload.claimedHeld() == 0
          ? requested
          : requested
              + workload.pods().stream()
                  .filter(PodView::holdsGpus)
                  .mapToInt(pod -> claimedBy(pod, observation))
                  .sum();
    }

    private static int claimedBy(PodView pod, Observation observation) {
      int claimed = pod.accelerators().claimedDevices();
      return claimed == 0 ? 0 : Math.clamp(observed(pod, observation) - pod.gpus(), 0, claimed);
    }

    private static int observed(PodView pod, Observation observation) {
      return switch (observation) {
        case Observation.Blind _ -> 0;
        case Observation.Seen seen ->
            seen.pod(pod.ref().uid()).stream()
                .flatMap(activity -> activity.devices().stream())
                .map(DeviceActivity::device)
                .distinct()
                .filter(device -> device.instanceId().isEmpty())
                .mapToInt(_ -> 1)
                .sum();
      };
    }
  }
}
