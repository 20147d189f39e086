package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.plan.ExpectedLoss;
import io.gpureclaimer.reclaimer.plan.Fairness.OwnerName;
import io.gpureclaimer.reclaimer.plan.PlanHistory.FollowUp;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Counters of what became of pending pods, of freed devices and of reclaimed workloads, while this
 * replica leads. Confined to the thread of the cycle.
 *
 * <p>Pods that share a device are in neither of the two counters of regrets: its activity does not
 * show for which of them it works, so it is unknown whether the reclaimed one does.
 */
final class OutcomeCounters {
  private static final double MILLIS_PER_SECOND = 1_000.0;
  private static final String RECLAIMER = "reclaimer";
  private static final String OTHERS = "others";
  private static final String OVERTAKEN = "overtaken";
  private static final String POD_GONE = "pod-gone";
  private static final String NOT_SCHEDULED = "not-scheduled";

  private final Histogram waits;
  private final Counter inVain;
  private final Counter expectedRegrets;
  private final Counter observedRegrets;

  /** Since when pods have been pending, by UID. */
  private Map<String, Instant> pending = Map.of();

  /** Reclaimed within the last hour, and not seen at work since. */
  private final Map<OwnerName, Reclaimed> reclaimed = new HashMap<>();

  OutcomeCounters(CollectorRegistry registry) {
    waits =
        Histogram.build(
                "gpu_reclaimer_pending_wait_seconds",
                "Time from the first refusal of the scheduler until a pending pod got a node;"
                    + " unblocked_by is reclaimer if devices were freed for it.")
            .labelNames("unblocked_by")
            .buckets(30, 60, 120, 300, 600, 1_800, 3_600, 10_800, 36_000, 86_400)
            .register(registry);
    List.of(RECLAIMER, OTHERS).forEach(waits::labels);
    inVain =
        Counter.build(
                "gpu_reclaimer_freed_in_vain_total",
                "Pending pods that did not get the devices freed for them, by reason.")
            .labelNames("reason")
            .register(registry);
    List.of(OVERTAKEN, POD_GONE, NOT_SCHEDULED).forEach(inVain::labels);
    expectedRegrets =
        Counter.build(
                "gpu_reclaimer_expected_regrets_total",
                "Sum of the probabilities that reclaimed workloads are needed again within an hour;"
                    + " without those that share GPUs.")
            .register(registry);
    observedRegrets =
        Counter.build(
                "gpu_reclaimer_observed_regrets_total",
                "Reclaimed workloads that used a GPU again within an hour, in new pods; without"
                    + " those that share GPUs.")
            .register(registry);
  }

  /**
   * A workload that was reclaimed.
   *
   * @param pods UIDs of those that it had, and of those that remained
   */
  private record Reclaimed(Instant at, Set<String> pods) {}

  void onPlan(CycleReport report, boolean leads) {
    if (leads) {
      countWaits(report);
      countInVain(report.followUps());
      countRegrets(report);
    }
    pending =
        report.cluster().pods().stream()
            .filter(pod -> pod.awaitsGpus() && !pod.terminating() && pod.waiting().isPresent())
            .collect(
                Collectors.toMap(
                    pod -> pod.ref().uid(),
                    pod -> pod.waiting().orElseThrow().since(),
                    (one, _) -> one));
  }

  private void countWaits(CycleReport report) {
    if (pending.isEmpty()) {
      return;
    }
    Set<String> served = new HashSet<>();
    for (FollowUp followUp : report.followUps()) {
      if (followUp instanceof FollowUp.PodBound(var pod, _)) {
        served.add(pod.uid());
      }
    }
    for (PodView pod : report.cluster().pods()) {
      Instant since = pending.get(pod.ref().uid());
      if (since != null && pod.node().isPresent()) {
        waits
            .labels(served.contains(pod.ref().uid()) ? RECLAIMER : OTHERS)
            .observe(Duration.between(since, report.at()).toMillis() / MILLIS_PER_SECOND);
      }
    }
  }

  private void countInVain(List<FollowUp> followUps) {
    for (FollowUp followUp : followUps) {
      switch (followUp) {
        case FollowUp.TakenByOthers _ -> inVain.labels(OVERTAKEN).inc();
        case FollowUp.PodGone _ -> inVain.labels(POD_GONE).inc();
        case FollowUp.NotScheduled _ -> inVain.labels(NOT_SCHEDULED).inc();
        case FollowUp.Recreated _, FollowUp.PodBound _ -> {}
      }
    }
  }

  private void countRegrets(CycleReport report) {
    reclaimed
        .values()
        .removeIf(action -> report.at().isAfter(action.at().plus(FollowUp.Recreated.WITHIN)));
    for (Judgment judgment : reclaimed.isEmpty() ? List.<Judgment>of() : report.judgments()) {
      OwnerName name = OwnerName.of(judgment.verdict().workload());
      Reclaimed action = reclaimed.get(name);
      if (action != null
          && judgment.verdict() instanceof Verdict.Active
          && worksInNewPods(judgment, action)) {
        observedRegrets.inc();
        reclaimed.remove(name);
      }
    }
  }

  private static boolean worksInNewPods(Judgment judgment, Reclaimed action) {
    Set<String> sharing = PodView.sharing(judgment.verdict().workload().allPods());
    return judgment.evidence().stream()
        .filter(pod -> !action.pods().contains(pod.pod().uid()))
        .filter(pod -> !sharing.contains(pod.pod().uid()))
        .anyMatch(pod -> pod.evidence() instanceof Evidence.Active);
  }

  void onResult(StepResult result, Instant now) {
    if (result.step() instanceof Step.Act act && result.result() instanceof ActionResult.Done) {
      Workload workload = act.workload();
      if (!PodView.sharing(workload.allPods()).isEmpty()) {
        return;
      }
      expectedRegrets.inc(ExpectedLoss.probability(act.verdict()));
      reclaimed.put(
          OwnerName.of(workload),
          new Reclaimed(
              now,
              workload.allPods().stream()
                  .map(pod -> pod.ref().uid())
                  .collect(Collectors.toUnmodifiableSet())));
    }
  }
}
