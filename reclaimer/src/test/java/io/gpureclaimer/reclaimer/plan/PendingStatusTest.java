package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.plan.Step.Beneficiary;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a plan says about pending pods. */
class PendingStatusTest {
  private static final Planner PLANNER = new Planner(new PlanLimits(2, Duration.ofSeconds(30)));
  private static final List<NodeView> NODES = List.of(node("node-1", 4), node("node-2", 4));

  private PlanHistory history = PlanHistory.none(NOW);

  @Test
  void saysWhatIsReclaimedForIt() {
    assertThat(of(List.of(due("a", 4, "node-1"), due("b", 4, "node-2")), waiting("w", 4)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  @Test
  void saysWhenEnoughIsFree() {
    assertThat(of(List.of(due("a", 4, "node-1")), waiting("w", 4)))
        .containsExactly("w: enough-free: enough GPUs are free on node-2 already");
  }

  @Test
  void saysThatNothingMayBeReclaimed_orThatItWouldNotDo() {
    PodView busy = pod("busy").gpus(4).on("node-1").draw();
    PodView other = pod("other").gpus(4).on("node-2").draw();

    assertThat(of(List.of(), busy, other, waiting("w", 1)))
        .containsExactly("w: impossible: no idle workload may be reclaimed for a pending pod now");
    assertThat(of(List.of(due("a", 2, "node-1")), waiting("w", 8)))
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (1)"
                + " cannot free 8 GPUs where it may run");
  }

  /** Of class other, p is 25 % after two hours, and 8 % after ten. */
  @Test
  void saysHowManyAreTooLikelyToBeNeededAgain() {
    var careful =
        new Planner(
            new PlanLimits(
                ActionBudgets.perPlan(2),
                Duration.ZERO,
                time("5m"),
                Duration.ZERO,
                List.of(),
                Optional.of(0.1)));
    PodView busy = pod("busy").gpus(2).on("node-2").draw();
    Due one = due("a", 4, "node-1");

    assertThat(of(careful, List.of(one, due("b", 2, "node-2")), busy, waiting("w", 4)))
        .containsExactly(
            "w: impossible: no idle workload may be reclaimed for a pending pod now; 2 are too"
                + " likely to be needed again within an hour (plan.max-need-probability)");
    Due other = PendingSentences.due(pod("b").gpus(2).on("node-2"), "10h");
    assertThat(of(careful, List.of(one, other), busy, waiting("w", 4)))
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (1)"
                + " cannot free 4 GPUs where it may run; 1 is too likely to be needed again within"
                + " an hour (plan.max-need-probability)");
  }

  @Test
  void saysWhichBudgetStandsAgainstIt() {
    List<Due> small = List.of(due("a", 1, "node-1"), due("b", 1, "node-1"), due("c", 2, "node-1"));
    PodView busy = pod("busy").gpus(4).on("node-2").draw();

    assertThat(of(small, busy, waiting("w", 4)))
        .containsExactly(
            "w: on-hold: Pod ml/a, Pod ml/b, Pod ml/c would be reclaimed for it, but not now: the"
                + " pending pod needs more evictions than are allowed at a time");
    assertThat(of(small, busy, waiting("v", 3), waiting("w", 1)))
        .containsExactly(
            "v: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod ml/c",
            "w: on-hold: as many as allowed are being evicted");
  }

  @Test
  void saysWhenGpusWereFreedForIt() {
    Due gone = due("a", 4, "node-1");
    PodView waiting = waiting("w", 4);
    var demand = new Demand(waiting.ref(), 4, 0, ago("4m"), Placement.ANYWHERE);
    history =
        history.after(
            new Act(gone, Optional.of(new Beneficiary.PendingPod(demand, "node-1"))),
            input(List.of(), waiting),
            PLANNER.limits(),
            NOW);

    assertThat(of(List.of(), waiting))
        .containsExactly(
            "w: freed: GPUs were freed for it, and the scheduler has not given it a node yet");
  }

  @Test
  void saysWhyGpusWouldNotHelp() {
    assertThat(
            of(
                List.of(),
                pod("a").unscheduled().draw(),
                pod("b").waiting(ago("4m"), "0/2 nodes are available: 2 Insufficient cpu.").draw(),
                pod("c")
                    .waiting(ago("4m"))
                    .placement(new Placement(Map.of(), List.of(), true))
                    .draw(),
                pod("d").slices("1g.10gb", 1).waiting(ago("4m")).draw(),
                pod("e").waiting(ago("5s")).draw()))
        .containsExactly(
            "a: needs-more: the scheduler has not said that no node has GPUs for it; a scheduling"
                + " gate or a queue may hold it",
            "b: needs-more: free GPUs may not be all that it lacks; the scheduler says: 0/2 nodes"
                + " are available: 2 Insufficient cpu.",
            "c: needs-more: the pod has affinity or topology spread with an operator or field that is"
                + " not known, or that releases of kube-scheduler read differently",
            "d: needs-more: free devices may not be all that it lacks; the scheduler says: 0/3"
                + " nodes are available: 3 Insufficient nvidia.com/gpu.",
            "e: in-grace: pods are served once they have been pending for 30s");
  }

  @Test
  void saysWhichPodOfAGroupLacksMore() {
    assertThat(
            of(
                List.of(due("a", 4, "node-1")),
                pod("v").in("train").gpus(4).waiting(ago("4m")).draw(),
                pod("w").in("train").unscheduled().draw()))
        .containsExactly(
            "train (group), 2 pods: needs-more: pod w of the group: the scheduler has not said that"
                + " no node has GPUs for it; a scheduling gate or a queue may hold it");
  }

  /** What a planner remembers of pods that stay the same changes no plan. */
  @Test
  void aPlannerThatPlannedBefore_plansAsANewOne() {
    var planner = new Planner(PLANNER.limits());
    PodView young = pod("young").gpus(4).waiting(ago("20s")).draw();
    PodView old = waiting("old", 2);
    PodView member = pod("member").in("train").gpus(2).waiting(ago("4m")).draw();
    PodView other = pod("other").in("train").gpus(4).waiting(ago("4m")).draw();
    PodView limited =
        pod("old").gpus(2).waiting(ago("4m"), "0/2 nodes are available: 2 Insufficient x.").draw();
    List<List<PodView>> changes =
        List.of(
            List.of(young, old, member),
            List.of(young, old, member),
            List.of(young, limited, member, other),
            List.of(young, old, other),
            List.of(pod("young").gpus(4).waiting(ago("20s")).terminating().draw(), old),
            List.of(old));
    Instant now = NOW;
    for (List<PodView> pods : changes) {
      PlanInput input = inputAt(now, List.of(due("a", 4, "node-1")), pods);

      assertThat(planner.plan(input)).isEqualTo(new Planner(PLANNER.limits()).plan(input));
      now = now.plusSeconds(20);
    }
  }

  private List<String> of(List<Due> due, PodView... others) {
    return of(PLANNER, due, others);
  }

  private List<String> of(Planner planner, List<Due> due, PodView... others) {
    return planner.plan(input(due, others)).pending().stream()
        .map(unit -> unit.name() + ": " + unit.outcome().code() + ": " + unit.sentence())
        .toList();
  }

  private PlanInput input(List<Due> due, PodView... others) {
    return inputAt(NOW, due, List.of(others));
  }

  private PlanInput inputAt(Instant now, List<Due> due, List<PodView> others) {
    var pods = new ArrayList<>(others);
    due.forEach(each -> pods.add(each.workload().firstPod()));
    return new PlanInput(
        List.copyOf(due),
        new ClusterView(pods, Map.of(), NODES, Map.of()),
        Map.of(),
        CircuitBreaker.BreakerStatus.CLOSED,
        history,
        now);
  }

  private static PodView waiting(String name, int gpus) {
    return pod(name).gpus(gpus).waiting(ago("4m")).draw();
  }

  private static Due due(String name, int gpus, String node) {
    return PendingSentences.due(pod(name).gpus(gpus).on(node));
  }
}
