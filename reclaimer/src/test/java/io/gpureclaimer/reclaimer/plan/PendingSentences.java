package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a plan says about pending pods beside idle ones. */
final class PendingSentences {
  private static final Planner PLANNER = new Planner(new PlanLimits(9, Duration.ofSeconds(30)));

  private PendingSentences() {}

  /** An idle pod that may be evicted for a pending one. */
  static Due due(PodDraft pod) {
    return due(pod, "2h");
  }

  /** The same, idle for so long. */
  static Due due(PodDraft pod, String idleFor) {
    var workload = new Workload("ml", Optional.empty(), List.of(pod.draw()));
    return new Due(
        workload, ago(idleFor), time(idleFor), ago("1h"), Mode.ON_DEMAND, new EvictPod());
  }

  /** Name, code and sentence of each pending pod or group. */
  static List<String> of(
      List<Due> idle, List<PodView> others, List<NodeView> nodes, SchedulingFacts facts) {
    var pods = new ArrayList<>(others);
    idle.forEach(due -> pods.add(due.workload().firstPod()));
    return PLANNER
        .plan(
            new PlanInput(
                List.copyOf(idle),
                new ClusterView(pods, Map.of(), nodes, Map.of(), Optional.empty(), facts),
                Map.of(),
                CircuitBreaker.BreakerStatus.CLOSED,
                PlanHistory.none(NOW),
                NOW))
        .pending()
        .stream()
        .map(unit -> unit.name() + ": " + unit.outcome().code() + ": " + unit.sentence())
        .toList();
  }
}
