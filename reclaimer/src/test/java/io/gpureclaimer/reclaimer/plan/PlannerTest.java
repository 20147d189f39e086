package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.plan.Step.Warn;
import io.gpureclaimer.reclaimer.plan.Step.Withdraw;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.gpureclaimer.reclaimer.workload.Workloads;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final Planner PLANNER = new Planner(new PlanLimits(2, Duration.ofSeconds(30)));
  private static final List<NodeView> ONE_NODE = List.of(node("node-1", 4));
  private static final List<NodeView> TWO_NODES = List.of(node("node-1", 2), node("node-2", 2));

  @Test
  void withdrawsBeforeItWarns_andWarnsBeforeItEvicts() {
    var due = due(pod("a"), Mode.ALWAYS, "2h");
    var toWarn =
        new Verdict.ToWarn(
            workload(pod("b")),
            ago("2h"),
            time("2h"),
            Mode.NOTIFY,
            Optional.empty(),
            Optional.empty(),
            new EvictPod());
    var toWithdraw = new Verdict.ToWithdraw(workload(pod("c")), Withdrawal.ACTIVE_AGAIN);
    var waiting = due(pod("d"), Mode.ON_DEMAND, "2h");

    Plan plan = PLANNER.plan(List.of(due, toWarn, toWithdraw, waiting), cluster(ONE_NODE), NOW);

    assertThat(plan)
        .isEqualTo(
            new Plan(
                List.of(
                    new PlanEntry(new Withdraw(toWithdraw), NOW),
                    new PlanEntry(new Warn(toWarn), NOW),
                    new PlanEntry(new Act(due, Optional.empty()), NOW),
                    new PlanEntry(new Wait(waiting, WaitReason.NO_PENDING_POD), NOW))));
    assertThat(plan.entries())
        .extracting(PlanEntry::reason)
        .containsExactly(
            "the warning no longer holds: its GPUs work again",
            "idle for 2h; warning due, no action follows",
            "idle for 2h, warned at 2026-03-02T11:00:00Z; may be reclaimed: evicted",
            "idle for 2h, warned at 2026-03-02T11:00:00Z; may be reclaimed if a pending pod needs"
                + " its GPUs, but not now: no pod is pending for GPUs alone");
  }

  @Test
  void doesNothingAboutTheOthers() {
    Workload workload = workload(pod("a"));
    List<Verdict> verdicts =
        List.of(
            new Verdict.NotRunning(workload, workload.pods().getFirst().ref()),
            new Verdict.Notified(workload, ago("2h"), time("2h"), ago("1h")));

    assertThat(PLANNER.plan(verdicts, cluster(ONE_NODE), NOW)).isEqualTo(new Plan(List.of()));
  }

  @Test
  void evictsTheLongestIdleFirst_upToTheLimit() {
    Due short1 = due(pod("a"), Mode.ALWAYS, "2h");
    Due longest = due(pod("b"), Mode.ALWAYS, "9h");
    Due middle = due(pod("c"), Mode.ALWAYS, "3h");

    assertThat(steps(ONE_NODE, List.of(short1, longest, middle)))
        .containsExactly(
            new Act(longest, Optional.empty()),
            new Act(middle, Optional.empty()),
            new Wait(short1, WaitReason.BUDGET_SPENT));
  }

  @Test
  void evictsForAWaitingPod_andSaysSo() {
    Due due = due(pod("a").gpus(4), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").gpus(2).waiting(ago("4m")).draw();

    List<PlanEntry> entries =
        PLANNER.plan(List.of(due), cluster(ONE_NODE, due, waiting), NOW).entries();

    assertThat(entries).containsExactly(new PlanEntry(actFor(due, waiting), NOW));
    assertThat(entries)
        .extracting(PlanEntry::reason)
        .containsExactly(
            "idle for 2h, warned at 2026-03-02T11:00:00Z; may be reclaimed if a pending"
                + " pod needs its GPUs: evicted so that pod ml/w can run, which has"
                + " waited 4m for 2 GPUs");
  }

  @Test
  void evictsNoPod_whenEnoughIsFree() {
    Due due = due(pod("a"), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").gpus(3).waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(due), waiting))
        .containsExactly(new Wait(due, WaitReason.NOT_NEEDED));
  }

  @Test
  void evictsNoPod_whenATerminatingPodWillFreeEnough() {
    Due due = due(pod("a"), Mode.ON_DEMAND, "2h");
    PodView leaving = pod("b").gpus(3).terminating().draw();
    PodView waiting = pod("w").gpus(1).waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(due), leaving, waiting))
        .containsExactly(new Wait(due, WaitReason.NOT_NEEDED));
  }

  @Test
  void evictsNoPod_whenThePendingPodIsBeingDeleted() {
    Due due = due(pod("a").gpus(4), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").waiting(ago("4m")).terminating().draw();

    assertThat(steps(ONE_NODE, List.of(due), waiting))
        .containsExactly(new Wait(due, WaitReason.NO_PENDING_POD));
  }

  @Test
  void evictsNoPodOnDemand_whenOtherEvictionsFreeEnough() {
    Due always = due(pod("a").gpus(2), Mode.ALWAYS, "2h");
    Due onDemand = due(pod("b").gpus(2), Mode.ON_DEMAND, "9h");
    PodView waiting = pod("w").gpus(2).waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(always, onDemand), waiting))
        .containsExactly(
            new Act(always, Optional.empty()), new Wait(onDemand, WaitReason.NOT_NEEDED));
  }

  @Test
  void evictsNoPod_whenAllOfThemWouldNotFreeEnough() {
    Due due = due(pod("a"), Mode.ON_DEMAND, "2h");
    PodView busy = pod("b").gpus(3).draw();
    PodView waiting = pod("w").gpus(2).waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(due), busy, waiting))
        .containsExactly(new Wait(due, WaitReason.NOT_NEEDED));
  }

  @Test
  void evictsNoPod_whenTheNodeHasLostGpus() {
    Due due = due(pod("a").gpus(2), Mode.ON_DEMAND, "2h");
    PodView busy = pod("b").gpus(2).draw();
    PodView waiting = pod("w").gpus(2).waiting(ago("4m")).draw();

    assertThat(steps(List.of(node("node-1", 2)), List.of(due), busy, waiting))
        .containsExactly(new Wait(due, WaitReason.NOT_NEEDED));
  }

  @Test
  void evictsNoPod_beforeThePendingGraceHasPassed() {
    Due due = due(pod("a").gpus(4), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").waiting(ago("29s")).draw();

    assertThat(steps(ONE_NODE, List.of(due), waiting))
        .containsExactly(new Wait(due, WaitReason.NO_PENDING_POD));
  }

  @Test
  void evictsNoPod_whenItIsUnknownWhereThePendingPodFits() {
    Due due = due(pod("a").gpus(4), Mode.ON_DEMAND, "2h");
    PodView waiting =
        pod("w").waiting(ago("4m")).placement(new Placement(Map.of(), List.of(), true)).draw();

    assertThat(steps(ONE_NODE, List.of(due), waiting))
        .containsExactly(new Wait(due, WaitReason.NO_PENDING_POD));
  }

  @Test
  void evictsNoPod_whenThePendingPodAlsoRequestsOtherAccelerators() {
    Due due = due(pod("a").gpus(4), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").waiting(ago("4m")).otherAccelerators().draw();

    assertThat(steps(ONE_NODE, List.of(due), waiting))
        .containsExactly(new Wait(due, WaitReason.NO_PENDING_POD));
  }

  @Test
  void evictsNoPod_onANodeThatDoesNotSuit() {
    Due due = due(pod("a").gpus(4), Mode.ON_DEMAND, "2h");
    PodView waiting =
        pod("w")
            .waiting(ago("4m"))
            .placement(new Placement(Map.of("gpu", "h200"), List.of(), false))
            .draw();

    assertThat(steps(ONE_NODE, List.of(due), waiting))
        .containsExactly(new Wait(due, WaitReason.NOT_NEEDED));
  }

  @Test
  void evictsNoPod_onACordonedNode() {
    Due due = due(pod("a").gpus(4), Mode.ON_DEMAND, "2h");
    var cordoned = new NodeView("node-1", 4, Map.of(), List.of(), false);
    PodView waiting = pod("w").waiting(ago("4m")).draw();

    assertThat(steps(List.of(cordoned), List.of(due), waiting))
        .containsExactly(new Wait(due, WaitReason.NOT_NEEDED));
  }

  @Test
  void evictsNoPodOfAHigherPriority() {
    Due due = due(pod("a").gpus(4).priority(11), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").priority(10).waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(due), waiting))
        .containsExactly(new Wait(due, WaitReason.NOT_NEEDED));
  }

  @Test
  void losesAsLittleAsExpected_ratherThanFewWorkloads() {
    Due one = due(pod("a").gpus(1), Mode.ON_DEMAND, "9h");
    Due two = due(pod("b").gpus(1), Mode.ON_DEMAND, "9h");
    Due both = due(pod("c").gpus(2), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").gpus(2).waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(one, two, both), waiting))
        .containsExactly(
            actFor(one, waiting), actFor(two, waiting), new Wait(both, WaitReason.BUDGET_SPENT));
  }

  @Test
  void staysWithinTheEvictionsOfOneCycle_thoughMoreIsLost() {
    List<Due> small =
        Stream.of("a", "b", "c").map(name -> due(pod(name).gpus(1), Mode.ON_DEMAND, "9h")).toList();
    Due large = due(pod("d").gpus(3).on("node-2"), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").gpus(3).waiting(ago("4m")).draw();
    List<Due> all = Stream.concat(small.stream(), Stream.of(large)).toList();

    assertThat(steps(List.of(node("node-1", 3), node("node-2", 3)), all, waiting))
        .startsWith(actFor(large, waiting));
  }

  @Test
  void sparesTheClassThatIsNeededAgainSoonest() {
    Due batch = due(pod("a"), Mode.ON_DEMAND, "2h");
    Due serving = of(due(pod("b"), Mode.ON_DEMAND, "3h"), WorkloadClass.SERVING);
    PodView waiting = pod("w").waiting(ago("4m")).draw();

    assertThat(
            steps(
                List.of(node("node-1", 2)),
                List.of(of(batch, WorkloadClass.BATCH), serving),
                waiting))
        .startsWith(actFor(of(batch, WorkloadClass.BATCH), waiting));
  }

  private static Due of(Due due, WorkloadClass kind) {
    return new Due(
        due.workload(),
        due.idleSince(),
        due.idleFor(),
        due.warnedAt(),
        due.mode(),
        due.action(),
        kind,
        due.sparedIfNeededSoon(),
        due.past());
  }

  @Test
  void disturbsAsFewAsPossible_amongEqualLosses() {
    Due one = due(pod("a").gpus(1), Mode.ON_DEMAND, "9h");
    Due two = due(pod("b").gpus(1), Mode.ON_DEMAND, "9h");
    Due both = due(pod("c").gpus(2), Mode.ON_DEMAND, "9h");
    PodView waiting = pod("w").gpus(2).waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(one, two, both), waiting))
        .containsExactly(
            actFor(both, waiting),
            new Wait(one, WaitReason.NOT_NEEDED),
            new Wait(two, WaitReason.NOT_NEEDED));
  }

  @Test
  void freesAsLittleAsPossible_amongEquallyFew() {
    Due large = due(pod("a").gpus(4).on("node-1"), Mode.ON_DEMAND, "2h");
    Due fitting = due(pod("b").gpus(2).on("node-2"), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").gpus(2).waiting(ago("4m")).draw();

    assertThat(
            steps(List.of(node("node-1", 4), node("node-2", 2)), List.of(large, fitting), waiting))
        .containsExactly(actFor(fitting, waiting), new Wait(large, WaitReason.NOT_NEEDED));
  }

  @Test
  void takesTheLongestIdle_amongEquallyFewAndLarge() {
    Due shorter = due(pod("a"), Mode.ON_DEMAND, "2h");
    Due longer = due(pod("b"), Mode.ON_DEMAND, "3h");
    PodView busy = pod("x").gpus(2).draw();
    PodView waiting = pod("w").waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(shorter, longer), busy, waiting))
        .containsExactly(actFor(longer, waiting), new Wait(shorter, WaitReason.NOT_NEEDED));
  }

  @Test
  void takesTheSmallerUid_amongEquals() {
    Due one = due(pod("b"), Mode.ON_DEMAND, "2h");
    Due two = due(pod("a"), Mode.ON_DEMAND, "2h");
    PodView busy = pod("x").gpus(2).draw();
    PodView waiting = pod("w").waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(one, two), busy, waiting))
        .containsExactly(actFor(two, waiting), new Wait(one, WaitReason.NOT_NEEDED));
  }

  @Test
  void servesTheHighestPriorityFirst_thenTheOldest() {
    List<NodeView> twoNodes = List.of(node("node-1", 1), node("node-2", 1));
    Due one = due(pod("a").on("node-1"), Mode.ON_DEMAND, "3h");
    Due two = due(pod("b").on("node-2"), Mode.ON_DEMAND, "2h");
    PodView young = pod("u").waiting(ago("1m")).draw();
    PodView old = pod("v").waiting(ago("9m")).draw();
    PodView important = pod("w").priority(5).waiting(ago("2m")).draw();

    assertThat(steps(twoNodes, List.of(one, two), young, old, important))
        .containsExactly(actFor(one, important), actFor(two, old));
  }

  @Test
  void promisesFreedGpusOnce() {
    Due due = due(pod("a").gpus(3), Mode.ON_DEMAND, "2h");
    Due other = due(pod("b").gpus(1), Mode.ON_DEMAND, "2h");
    PodView first = pod("v").gpus(2).waiting(ago("9m")).draw();
    PodView second = pod("w").gpus(2).waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(due, other), first, second))
        .containsExactly(actFor(due, first), actFor(other, second));
  }

  @Test
  void freesGpusForAllPodsOfAGroup() {
    Due one = due(pod("a").gpus(2).on("node-1"), Mode.ON_DEMAND, "3h");
    Due two = due(pod("b").gpus(2).on("node-2"), Mode.ON_DEMAND, "2h");
    PodView first = pod("v").in("train").gpus(2).waiting(ago("4m")).draw();
    PodView second = pod("w").in("train").gpus(2).waiting(ago("4m")).draw();

    assertThat(
            PLANNER
                .plan(
                    List.of(one, two),
                    cluster(TWO_NODES, one, two.workload().firstPod(), first, second),
                    NOW)
                .entries())
        .extracting(PlanEntry::reason)
        .allSatisfy(
            reason ->
                assertThat(reason).endsWith("for 2 GPUs, with all pending pods of train (group)"));
    assertThat(steps(TWO_NODES, List.of(one, two), first, second))
        .containsExactly(actFor(one, first), actFor(two, second));
  }

  @Test
  void evictsNoPod_whenOnePodOfAGroupCouldNotRun() {
    Due due = due(pod("a").gpus(2).on("node-1"), Mode.ON_DEMAND, "2h");
    PodView busy = pod("x").gpus(2).on("node-2").draw();
    PodView first = pod("v").in("train").gpus(2).waiting(ago("4m")).draw();
    PodView second = pod("w").in("train").gpus(2).waiting(ago("4m")).draw();

    assertThat(steps(TWO_NODES, List.of(due), busy, first, second))
        .containsExactly(new Wait(due, WaitReason.NOT_NEEDED));
  }

  @Test
  void servesTheNextPod_whenAGroupBeforeItCouldNotRun() {
    Due due = due(pod("a").gpus(2).on("node-1"), Mode.ON_DEMAND, "2h");
    PodView busy = pod("x").gpus(2).on("node-2").draw();
    PodView first = pod("v").in("train").gpus(2).waiting(ago("4m")).draw();
    PodView second = pod("w").in("train").gpus(2).waiting(ago("4m")).draw();
    PodView single = pod("z").gpus(1).waiting(ago("1m")).draw();

    assertThat(steps(TWO_NODES, List.of(due), busy, first, second, single))
        .containsExactly(actFor(due, single));
  }

  @Test
  void evictsNoPod_whileAPodOfTheGroupLacksSomethingElse() {
    Due due = due(pod("a").gpus(2).on("node-1"), Mode.ON_DEMAND, "2h");
    PodView first = pod("v").in("train").gpus(2).waiting(ago("4m")).draw();
    PodView gated = pod("w").in("train").gpus(2).unscheduled().draw();
    PodView volume =
        pod("y")
            .in("train")
            .gpus(2)
            .waiting(ago("4m"), "0/2 nodes are available: 2 node(s) had volume node affinity")
            .draw();
    PodView young = pod("z").in("train").gpus(2).waiting(ago("1s")).draw();

    for (PodView other : List.of(gated, volume, young)) {
      assertThat(steps(TWO_NODES, List.of(due), first, other))
          .as(other.ref().name())
          .containsExactly(new Wait(due, WaitReason.NO_PENDING_POD));
    }
  }

  @Test
  void freesGpusForAGroup_ofWhichAGangSchedulerRejectsWhatWouldFit() {
    Due due = due(pod("a").gpus(2).on("node-1"), Mode.ON_DEMAND, "2h");
    PodView first = pod("v").in("train").gpus(2).waiting(ago("4m")).draw();
    PodView second =
        pod("w")
            .in("train")
            .gpus(2)
            .waiting(ago("4m"), "optimistic rejection in PostFilter")
            .draw();

    assertThat(steps(TWO_NODES, List.of(due), first, second)).containsExactly(actFor(due, second));
    assertThat(steps(TWO_NODES, List.of(due), second))
        .as("no pod of the group says that it lacks GPUs")
        .containsExactly(new Wait(due, WaitReason.NO_PENDING_POD));
  }

  @Test
  void givesBackAVictimOfAGroup_withoutWhichAllItsPodsCanRun() {
    Due small = due(pod("a").gpus(2).on("node-1"), Mode.ON_DEMAND, "3h");
    Workload onBoth =
        Workloads.of(
            List.of(
                pod("b").in("serve").gpus(2).on("node-1").draw(),
                pod("c").in("serve").gpus(2).on("node-2").draw()),
            Map.of());
    var spread = new Due(onBoth, ago("2h"), time("2h"), ago("1h"), Mode.ON_DEMAND, new EvictPod());
    var cluster =
        new ClusterView(
            List.of(
                small.workload().firstPod(),
                onBoth.pods().getFirst(),
                onBoth.pods().getLast(),
                pod("v").in("train").gpus(2).placement(only("1")).waiting(ago("4m")).draw(),
                pod("w").in("train").gpus(2).placement(only("2")).waiting(ago("4m")).draw()),
            Map.of(),
            List.of(
                new NodeView("node-1", 4, Map.of("number", "1"), List.of(), true),
                new NodeView("node-2", 2, Map.of("number", "2"), List.of(), true)),
            Map.of());

    assertThat(PLANNER.plan(List.of(small, spread), cluster, NOW).entries())
        .extracting(PlanEntry::step)
        .filteredOn(Act.class::isInstance)
        .extracting(Step::workload)
        .as("the first pod alone would be served by the one that is idle for longer")
        .containsExactly(onBoth);
  }

  private static Placement only(String number) {
    return new Placement(Map.of("number", number), List.of(), false);
  }

  @Test
  void keepsVictimsForWhoComesFirst_whenTheyDoNotFitIntoThisPlan() {
    Due always = due(pod("a"), Mode.ALWAYS, "2h");
    Due one = due(pod("b").on("node-2"), Mode.ON_DEMAND, "2h");
    Due two = due(pod("c").on("node-2"), Mode.ON_DEMAND, "2h");
    PodView busy = pod("x").gpus(3).draw();
    PodView first = pod("v").gpus(2).priority(5).waiting(ago("9m")).draw();
    PodView second = pod("w").gpus(1).waiting(ago("4m")).draw();
    PodView third = pod("z").gpus(1).waiting(ago("3m")).draw();

    assertThat(
            steps(
                List.of(node("node-1", 4), node("node-2", 2)),
                List.of(always, one, two),
                busy,
                first,
                second,
                third))
        .containsExactly(
            new Act(always, Optional.empty()),
            new Wait(one, WaitReason.BUDGET_SPENT),
            new Wait(two, WaitReason.BUDGET_SPENT));
  }

  @Test
  void evictsNoPod_whenAPendingPodNeedsMoreEvictionsThanAllowed() {
    Due one = due(pod("a"), Mode.ON_DEMAND, "2h");
    Due two = due(pod("b"), Mode.ON_DEMAND, "2h");
    Due three = due(pod("c"), Mode.ON_DEMAND, "2h");
    PodView waiting = pod("w").gpus(4).waiting(ago("4m")).draw();

    assertThat(steps(ONE_NODE, List.of(one, two, three), waiting))
        .containsExactly(
            new Wait(one, WaitReason.BUDGET_TOO_SMALL),
            new Wait(two, WaitReason.BUDGET_TOO_SMALL),
            new Wait(three, WaitReason.BUDGET_TOO_SMALL));
  }

  @Test
  void evictsNoPod_whenNoneIsAllowed() {
    Due always = due(pod("a"), Mode.ALWAYS, "2h");
    Planner none = new Planner(new PlanLimits(0, Duration.ZERO));

    assertThat(none.plan(List.of(always), cluster(ONE_NODE, always), NOW).entries())
        .extracting(PlanEntry::step)
        .containsExactly(new Wait(always, WaitReason.BUDGET_SPENT));
  }

  @Test
  void writesOnSoManyPodsInACycle_andOnAllPodsOfTheLastWorkloadThatBegins() {
    var withdrawn = new Verdict.ToWithdraw(podsOf("a", 1), Withdrawal.ACTIVE_AGAIN);
    Verdict.ToWarn large = toWarn(podsOf("b", Planner.MAX_ANNOTATED_PODS));
    Verdict.ToWarn small = toWarn(podsOf("c", 1));

    assertThat(PLANNER.plan(List.of(withdrawn, large, small), cluster(ONE_NODE), NOW).entries())
        .extracting(PlanEntry::step)
        .containsExactly(
            new Withdraw(withdrawn), new Warn(large), new Wait(small, WaitReason.WARNINGS_SPENT));
  }

  private static Verdict.ToWarn toWarn(Workload workload) {
    return new Verdict.ToWarn(
        workload,
        ago("2h"),
        time("2h"),
        Mode.NOTIFY,
        Optional.empty(),
        Optional.empty(),
        new EvictPod());
  }

  private static Workload podsOf(String owner, int count) {
    return JudgeScenario.workload(
        IntStream.range(0, count)
            .mapToObj(i -> pod(owner + i).owner("ReplicaSet", owner).draw())
            .toArray(PodView[]::new));
  }

  private static List<Step> steps(List<NodeView> nodes, List<Due> due, PodView... others) {
    PodView[] pods =
        Stream.concat(due.stream().map(each -> each.workload().firstPod()), Arrays.stream(others))
            .toArray(PodView[]::new);
    var cluster = new ClusterView(List.of(pods), Map.of(), nodes, Map.of());
    return PLANNER.plan(List.copyOf(due), cluster, NOW).entries().stream()
        .map(PlanEntry::step)
        .toList();
  }

  private static ClusterView cluster(List<NodeView> nodes) {
    return new ClusterView(List.of(), Map.of(), nodes, Map.of());
  }

  private static ClusterView cluster(List<NodeView> nodes, Due due, PodView... others) {
    List<PodView> pods =
        Stream.concat(Stream.of(due.workload().firstPod()), Arrays.stream(others)).toList();
    return new ClusterView(pods, Map.of(), nodes, Map.of());
  }

  private static Due due(PodDraft pod, Mode mode, String idleFor) {
    return new Due(workload(pod), ago(idleFor), time(idleFor), ago("1h"), mode, new EvictPod());
  }

  private static Workload workload(PodDraft pod) {
    return new Workload("ml", Optional.empty(), List.of(pod.draw()));
  }

  private static Demand demand(PodView pod) {
    return new Demand(
        pod.ref(),
        pod.gpus(),
        pod.priority(),
        pod.waiting().orElseThrow().since(),
        pod.placement(),
        pod.traits().group());
  }

  private static Act actFor(Due due, PodView waiting) {
    String node = due.workload().firstPod().node().orElseThrow();
    return new Act(due, Optional.of(new Step.Beneficiary.PendingPod(demand(waiting), node)));
  }
}
