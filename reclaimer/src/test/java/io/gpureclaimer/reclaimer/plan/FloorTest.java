package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.plan.Step.Beneficiary;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workloads are reclaimed so that GPUs stay free for the next pod. */
class FloorTest {
  private static final String H100 = "NVIDIA-H100-80GB-HBM3";

  private final List<NodeView> nodes = new ArrayList<>(List.of(node("node-1", H100, 8)));
  private final List<PodView> others = new ArrayList<>();
  private final List<Due> due = new ArrayList<>();
  private ActionBudgets budgets = ActionBudgets.perPlan(9);
  private List<String> floors = List.of("4xH100");
  private double maxNeedProbability = 1;
  private PlanHistory history = PlanHistory.none(NOW);
  private CircuitBreaker.BreakerStatus breaker = CircuitBreaker.BreakerStatus.CLOSED;

  @Test
  void reclaimsAsManyAsAreMissing_andSaysWhy() {
    busy("node-1", 2);
    idle("a", "node-1", 2, "9h");
    idle("b", "node-1", 2, "2h");

    Plan plan = plan();

    assertThat(acts(plan)).containsExactly("a");
    assertThat(plan.entries().getFirst().reason())
        .endsWith(": evicted to keep 4 H100 free (2 free)");
    assertThat(floors(plan))
        .containsExactly("2 reclaiming: 2 of 4 free; to be reclaimed for it: 1 workload on node-1");
    assertThat(plan.entries().getLast().reason())
        .endsWith(", but not now: no pending pod needs it");
  }

  /** What is free there is not known, so the floor would never be met. */
  @Test
  void reclaimsNothing_onNodesThatGiveGpusByClaims() {
    nodes.add(new NodeView("dra", Map.of(), Map.of(NodeView.PRODUCT, H100), List.of(), true));
    busy("node-1", 8);
    others.add(pod("gone").on("dra").gpus(4).byClaim().terminating().draw());
    due.add(dueOf(pod("a").on("dra").gpus(4).byClaim(), "9h", Mode.ON_DEMAND));

    Plan plan = plan();

    assertThat(acts(plan)).isEmpty();
    assertThat(floors(plan)).singleElement().asString().startsWith("0 impossible: 0 of 4 free; ");
  }

  /** Too many to be chosen together. */
  @Test
  void reclaimsForALargeFloor_theLeastCostlyOnes() {
    nodes.clear();
    for (int node = 0; node < 20; node++) {
      nodes.add(node("n-" + node, H100, 8));
      for (int each = 0; each < 8; each++) {
        idle("w-" + node + "-" + each, "n-" + node, 1, each == 0 ? "2h" : "9h");
      }
    }
    floors = List.of("100xH100");
    budgets = ActionBudgets.perPlan(200);

    assertThat(acts(plan())).hasSize(100).noneMatch(name -> name.endsWith("-0"));
  }

  @Test
  void reclaimsNothing_whileEnoughAreFree() {
    busy("node-1", 2);
    idle("a", "node-1", 2, "9h");

    assertThat(acts(plan())).isEmpty();
    assertThat(floors(plan())).containsExactly("4 enough-free: 4 free");
  }

  /** Such as a pod that the last cycle evicted. */
  @Test
  void countsGpusOfTerminatingPodsAsFree() {
    busy("node-1", 2);
    idle("a", "node-1", 2, "9h");
    others.add(pod("gone").on("node-1").gpus(4).terminating().draw());

    assertThat(acts(plan())).isEmpty();
  }

  @Test
  void servesPendingPodsFirst_andCountsWhatTheyGetAsAllocated() {
    idle("a", "node-1", 4, "2h");
    idle("b", "node-1", 1, "9h");
    others.add(pod("w").gpus(3).waiting(ago("4m")).draw());

    Plan plan = plan();

    assertThat(plan.pending())
        .extracting(PendingStatus::sentence)
        .containsExactly("enough GPUs are free on node-1 already");
    assertThat(floors(plan))
        .containsExactly("0 reclaiming: 0 of 4 free; to be reclaimed for it: 1 workload on node-1");
    assertThat(acts(plan)).containsExactly("a");
  }

  @Test
  void leavesVictimsOfPendingPodsToThem() {
    busy("node-1", 4);
    idle("a", "node-1", 4, "2h");
    others.add(pod("w").gpus(4).waiting(ago("4m")).draw());

    Plan plan = plan();

    assertThat(plan.entries().getFirst().step())
        .isInstanceOfSatisfying(
            Act.class, act -> assertThat(act.demand().orElseThrow().pod().name()).isEqualTo("w"));
    assertThat(floors(plan))
        .containsExactly(
            "0 impossible: 0 of 4 free; no idle workload that may be reclaimed on demand"
                + " now frees more of them");
  }

  /** Of class other, p is 25 % after two hours, and 8 % after ten. */
  @Test
  void sparesWhatIsLikelyToBeNeededAgain() {
    busy("node-1", 4);
    idle("a", "node-1", 4, "2h");
    maxNeedProbability = 0.1;

    assertThat(floors(plan()))
        .containsExactly(
            "0 impossible: 0 of 4 free; no idle workload may be reclaimed on demand now; 1 is too"
                + " likely to be needed again within an hour (plan.max-need-probability)");

    due.clear();
    idle("a", "node-1", 4, "10h");
    assertThat(acts(plan())).containsExactly("a");
  }

  @Test
  void takesOnlyWorkloadsThatMayBeReclaimedOnDemand_butCountsWhatOthersFree() {
    busy("node-1", 4);
    due("always", "node-1", 4, "2h", Mode.ALWAYS, 0);

    Plan plan = plan();

    assertThat(plan.entries().getFirst().step())
        .isEqualTo(new Act(due.getFirst(), Optional.empty()));
    assertThat(floors(plan)).containsExactly("4 enough-free: 4 free");
  }

  /** The next pod is expected to have no PriorityClass. */
  @Test
  void sparesWorkloadsAboveThePriorityOfAUsualPod() {
    busy("node-1", 4);
    due("high", "node-1", 2, "9h", Mode.ON_DEMAND, 1);
    PodView lowToo = pod("low").on("node-1").gpus(2).draw();
    others.add(lowToo);

    assertThat(acts(plan())).isEmpty();
    others.remove(lowToo);
    due("low", "node-1", 2, "2h", Mode.ON_DEMAND, 0);
    assertThat(acts(plan())).containsExactly("low");
  }

  @Test
  void takesWorkloadsOfThePoolAlone() {
    nodes.add(node("node-2", "NVIDIA-A100-SXM4-80GB", 8));
    busy("node-1", 6);
    idle("a", "node-2", 8, "30h");
    idle("h", "node-1", 2, "2h");

    assertThat(acts(plan())).containsExactly("h");
  }

  @Test
  void servesSeveralFloors_eachOfItsPool() {
    nodes.add(node("node-2", "NVIDIA-A100-SXM4-80GB", 8));
    idle("h", "node-1", 8, "2h");
    idle("a", "node-2", 8, "30h");
    floors = List.of("8xH100", "1x8xA100");

    Plan plan = plan();

    assertThat(acts(plan)).containsExactlyInAnyOrder("h", "a");
    assertThat(plan.floors())
        .extracting(each -> each.floor().amount())
        .containsExactly("8 H100", "1 block of 8 A100");
  }

  @Test
  void aBlockIsOnOneNode_andIsServedWholeOrNotAtAll() {
    nodes.add(node("node-2", H100, 8));
    busy("node-1", 1);
    idle("a", "node-1", 7, "90h");
    idle("b", "node-2", 4, "2h");
    idle("c", "node-2", 4, "3h");
    floors = List.of("1x8xH100");

    assertThat(acts(plan())).containsExactlyInAnyOrder("b", "c");
    assertThat(plan().entries())
        .filteredOn(entry -> entry.step() instanceof Act)
        .extracting(entry -> ((Act) entry.step()).pending().map(Beneficiary::unit))
        .containsOnly(Optional.of("keep-free/1x8xH100/0"));

    budgets = ActionBudgets.perPlan(1);
    assertThat(acts(plan())).isEmpty();
    assertThat(floors(plan()))
        .containsExactly(
            "0 on-hold: 0 of 1 free; more would be reclaimed, but not now: the pending pod"
                + " needs more evictions than are allowed at a time");
  }

  @Test
  void aPartOfAFloorIsServed_andTheRestInTheNextCycle() {
    busy("node-1", 4);
    IntStream.range(0, 4).forEach(i -> idle("i" + i, "node-1", 1, (i + 2) + "h"));
    budgets = ActionBudgets.perPlan(2);

    Plan plan = plan();

    assertThat(acts(plan)).containsExactlyInAnyOrder("i3", "i2");
    assertThat(floors(plan))
        .containsExactly(
            "0 reclaiming: 0 of 4 free; to be reclaimed for it: 2 workloads on node-1; more would be,"
                + " but not now: as many as allowed are being evicted");
  }

  @Test
  void choosesOneLargeWorkload_ratherThanSeveralSmallOnesOfTheSameLoss() {
    IntStream.range(0, 4).forEach(i -> idle("i" + i, "node-1", 1, "2h"));
    idle("large", "node-1", 4, "2h");

    assertThat(acts(plan())).containsExactly("large");
  }

  @Test
  void stopsAtTheBudgetOfANamespace_andGoesOnInOthers() {
    busy("node-1", 4);
    idle("a", "node-1", 1, "90h");
    idle("b", "node-1", 1, "80h");
    due.add(dueOf(pod("c").namespace("other").on("node-1").gpus(2), "2h", Mode.ON_DEMAND));
    budgets = new ActionBudgets(9, 99, new NamespaceBudget(1, 99), 9, 1);

    assertThat(acts(plan())).containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void waitsForTheGrace_ifItLeads() {
    busy("node-1", 4);
    idle("a", "node-1", 4, "2h");
    history = history.at(true, true, NOW);

    Plan first = plan();
    assertThat(acts(first)).isEmpty();
    assertThat(floors(first))
        .containsExactly(
            "0 in-grace: 0 of 4 free; workloads are reclaimed once it has been so for 30s");

    history = history.after(first);
    assertThat(acts(plan(NOW.plusSeconds(29)))).isEmpty();
    assertThat(acts(plan(NOW.plusSeconds(30)))).containsExactly("a");
  }

  @Test
  void theGraceBeginsAgain_onceEnoughWereFree() {
    busy("node-1", 4);
    idle("a", "node-1", 4, "2h");
    history = history.at(true, true, NOW).after(plan());
    PodView holder = others.removeFirst();
    history = history.after(plan(NOW.plusSeconds(20)));
    others.add(holder);

    assertThat(acts(plan(NOW.plusSeconds(40)))).isEmpty();
  }

  @Test
  void doesNothing_whereNoNodeHasTheModel() {
    idle("a", "node-1", 8, "2h");
    floors = List.of("4xH200");

    assertThat(acts(plan())).isEmpty();
    assertThat(floors(plan()))
        .containsExactly(
            "? no-nodes: no node with whole GPUs has the model H200 in its label"
                + " nvidia.com/gpu.product");
  }

  @Test
  void doesNothing_whileFreeGpusOfAnUnknownModelMayBeEnough() {
    idle("a", "node-1", 8, "2h");
    nodes.add(new NodeView("plain", 4, Map.of(), List.of(), true));

    assertThat(acts(plan())).isEmpty();
    assertThat(floors(plan()))
        .containsExactly(
            "? unknown: 0 of 4 free; 4 more may be: node plain has no label"
                + " nvidia.com/gpu.product");

    others.add(pod("x").on("plain").gpus(4).draw());
    assertThat(acts(plan())).containsExactly("a");
  }

  @Test
  void doesNothing_whileANodeThatIsNotReadyMayHaveEnough() {
    idle("a", "node-1", 8, "2h");
    nodes.add(
        new NodeView(
            "node-2",
            Map.of(ResourceNames.GPU, 8),
            Map.of("nvidia.com/gpu.product", H100),
            List.of(),
            false,
            true));

    assertThat(acts(plan())).isEmpty();
    assertThat(floors(plan()))
        .containsExactly("? unknown: 0 of 4 free; 8 more may be: node node-2 is not ready");
  }

  @Test
  void doesNotCountCordonedNodes_norThoseThatAreAboutToBeRemoved() {
    idle("a", "node-1", 8, "2h");
    nodes.add(
        new NodeView("cordoned", 8, Map.of("nvidia.com/gpu.product", H100), List.of(), false));
    nodes.add(
        new NodeView(
            "leaving",
            8,
            Map.of("nvidia.com/gpu.product", H100),
            List.of(new Taint("karpenter.sh/disrupted", "", "NoSchedule")),
            true));

    assertThat(acts(plan())).containsExactly("a");
  }

  @Test
  void countsNodesWithTaints_becausePodsOfThePoolTolerateThem() {
    idle("a", "node-1", 8, "2h");
    nodes.add(
        new NodeView(
            "node-2",
            8,
            Map.of("nvidia.com/gpu.product", H100),
            List.of(new Taint("nvidia.com/gpu", "present", "NoSchedule")),
            true));

    assertThat(floors(plan())).containsExactly("8 enough-free: 8 free");
  }

  @Test
  void reclaimsNothing_whileTheCircuitBreakerIsOpen() {
    busy("node-1", 4);
    idle("a", "node-1", 4, "2h");
    breaker =
        new CircuitBreaker.BreakerStatus(
            CoverageStats.EMPTY, List.of(new BreakerReason.Blind("no answer")));

    assertThat(acts(plan())).isEmpty();
    assertThat(floors(plan()))
        .containsExactly("0 on-hold: 0 of 4 free; the circuit breaker is open");
  }

  /** Each freed GPU is taken at once by a pod that no workload is reclaimed for. */
  @Test
  void keepsWithinTheBudgetPerHour_whenOtherPodsTakeTheGpus() {
    floors = List.of("1xH100");
    budgets = new ActionBudgets(2, 4, NamespaceBudget.NONE, 99, 1);
    nodes.set(0, node("node-1", H100, 100));
    IntStream.range(0, 100).forEach(i -> idle("i" + i, "node-1", 1, "9h"));
    var reclaimed = new ArrayList<Integer>();
    for (int minute = 0; minute < 180; minute++) {
      Instant now = NOW.plusSeconds(60L * minute);
      PlanInput input = input(now);
      Plan plan = planner().plan(input);
      for (PlanEntry entry : plan.entries()) {
        if (entry.step() instanceof Act act) {
          reclaimed.add(minute);
          history = history.after(act, input, planner().limits(), now);
          due.remove(act.verdict());
          others.add(pod("taker-" + reclaimed.size()).on("node-1").draw());
        }
      }
      history = history.after(plan);
    }

    assertThat(reclaimed).hasSizeGreaterThan(4);
    for (int minute : reclaimed) {
      assertThat(reclaimed)
          .filteredOn(other -> other >= minute && other < minute + 60)
          .as("in the hour from minute %d on", minute)
          .hasSizeLessThanOrEqualTo(4);
    }
  }

  @Test
  void warnsOfTheFloor_wherePodsHoldGpusOfItsPool() {
    nodes.add(node("node-2", "NVIDIA-A100-SXM4-80GB", 8));
    Plan plan =
        planner()
            .plan(
                new PlanInput(
                    List.of(toWarn("a", "node-1"), toWarn("b", "node-2")),
                    new ClusterView(List.of(), Map.of(), nodes, Map.of()),
                    Map.of(),
                    breaker,
                    history,
                    NOW));

    assertThat(plan.entries())
        .extracting(entry -> ((Step.Warn) entry.step()).keptFree())
        .containsExactly(Optional.of("4 H100"), Optional.empty());
  }

  private static Verdict.ToWarn toWarn(String name, String node) {
    return new Verdict.ToWarn(
        new Workload("ml", Optional.empty(), List.of(pod(name).on(node).draw())),
        ago("2h"),
        time("2h"),
        Mode.ON_DEMAND,
        Optional.of(NOW),
        Optional.empty(),
        new EvictPod());
  }

  private static NodeView node(String name, String product, int gpus) {
    return new NodeView(name, gpus, Map.of("nvidia.com/gpu.product", product), List.of(), true);
  }

  private void busy(String node, int gpus) {
    others.add(pod("busy").on(node).gpus(gpus).draw());
  }

  private void idle(String name, String node, int gpus, String idleFor) {
    due(name, node, gpus, idleFor, Mode.ON_DEMAND, 0);
  }

  private void due(String name, String node, int gpus, String idleFor, Mode mode, int priority) {
    due.add(dueOf(pod(name).on(node).gpus(gpus).priority(priority), idleFor, mode));
  }

  private static Due dueOf(PodDraft pod, String idleFor, Mode mode) {
    PodView drawn = pod.draw();
    return new Due(
        new Workload(drawn.ref().namespace(), Optional.empty(), List.of(drawn)),
        ago(idleFor),
        time(idleFor),
        ago("1h"),
        mode,
        new EvictPod());
  }

  private Planner planner() {
    return new Planner(
        new PlanLimits(
            budgets,
            Duration.ofSeconds(30),
            time("5m"),
            time("10m"),
            floors.stream().map(text -> FreeGpuFloor.parse(text).orElseThrow()).toList(),
            Optional.of(maxNeedProbability)));
  }

  private Plan plan() {
    return plan(NOW);
  }

  private Plan plan(Instant now) {
    return planner().plan(input(now));
  }

  private PlanInput input(Instant now) {
    var pods = new ArrayList<>(others);
    due.forEach(each -> pods.addAll(each.workload().pods()));
    return new PlanInput(
        List.copyOf(due),
        new ClusterView(pods, Map.of(), nodes, Map.of()),
        Map.of(),
        breaker,
        history,
        now);
  }

  /** Names of workloads that are reclaimed for a floor. */
  private static List<String> acts(Plan plan) {
    return plan.entries().stream()
        .map(PlanEntry::step)
        .filter(step -> step instanceof Act act && act.floorReason().isPresent())
        .map(step -> step.workload().name())
        .toList();
  }

  private static List<String> floors(Plan plan) {
    return plan.floors().stream()
        .map(
            each ->
                each.free().map(free -> String.valueOf(free.count())).orElse("?")
                    + " "
                    + each.outcome().code()
                    + ": "
                    + each.sentence())
        .toList();
  }
}
