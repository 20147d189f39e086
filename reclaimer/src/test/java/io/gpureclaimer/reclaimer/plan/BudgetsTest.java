package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.IdlePast.IdleOutcomes;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.OwnPast;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetsTest {
  private static final List<NodeView> NODES = List.of(node("node-1", 100));
  private static final int MANY = 1000;
  private static final PlanHistory FRESH = PlanHistory.none(NOW);

  @Test
  void evictsAtMostTheCapOfANamespace_andOthersInstead() {
    Planner planner = planner(new ActionBudgets(4, 1000, new NamespaceBudget(2, 1000), MANY, 1));

    assertThat(
            steps(
                planner,
                FRESH,
                NOW,
                due("ml", "a", 9),
                due("ml", "b", 8),
                due("ml", "c", 7),
                due("web", "d", 2)))
        .containsExactly("evict a", "evict b", "evict d", "wait c: NAMESPACE_BUDGET_SPENT");
  }

  @Test
  void theSmallerCapHolds() {
    Planner planner = planner(new ActionBudgets(4, 1000, new NamespaceBudget(2, 1000), MANY, 1));
    List<Verdict> due = List.of(due("ml", "a", 9), due("ml", "b", 8));

    var strict = situation(due, Map.of("ml", new NamespaceBudget(1, 1000)), FRESH, NOW);
    assertThat(words(planner.plan(strict)))
        .containsExactly("evict a", "wait b: NAMESPACE_BUDGET_SPENT");
    var generous = situation(due, Map.of("ml", new NamespaceBudget(9, 1000)), FRESH, NOW);
    assertThat(words(planner.plan(generous))).containsExactly("evict a", "evict b");
    var none = situation(due, Map.of("ml", new NamespaceBudget(0, 0)), FRESH, NOW);
    assertThat(words(planner.plan(none)))
        .containsExactly("wait a: NAMESPACE_BUDGET_SPENT", "wait b: NAMESPACE_BUDGET_SPENT");
  }

  @Test
  void sparesPrioritiesThatTheNamespaceDoesNotGive() {
    Planner planner = planner(ActionBudgets.perPlan(9));
    List<Verdict> due =
        List.of(due(pod("a").priority(10), "ml", 9), due(pod("b").priority(11), "ml", 8));
    var own = Map.of("ml", new NamespaceBudget(9, 1000, 10));

    assertThat(words(planner.plan(situation(due, own, FRESH, NOW))))
        .containsExactly("evict a", "wait b: PRIORITY_TOO_HIGH");
  }

  /**
   * Both are idle for an hour; one was four times, and was needed within the next hour each time.
   */
  @Test
  void sparesOnDemandWhatIsProbablyNeededSoon() {
    Due calm = onDemand("calm", new IdleOutcomes(4, 0));
    Due busy = onDemand("busy", new IdleOutcomes(4, 4));

    assertThat(steps(planner(Optional.of(0.5)), FRESH, NOW, calm, busy))
        .containsExactly("wait busy: NEEDED_SOON", "wait calm: NO_PENDING_POD");
  }

  /** The prior of both is 33 % after an hour, and 9 % after ten. */
  @ParameterizedTest
  @CsvSource({
    "true, 1h, NEEDED_SOON",
    "true, 10h, NO_PENDING_POD",
    "false, 1h, NO_PENDING_POD",
  })
  void withoutALimit_sparesOnlyWorkloadsThatAreSparedByDefault(
      boolean spared, String idleFor, WaitReason expected) {
    Due due = onDemand("notebook", idleFor, spared, OwnPast.NONE);

    assertThat(steps(planner(Optional.empty()), FRESH, NOW, due))
        .containsExactly("wait notebook: " + expected);
  }

  private static Planner planner(Optional<Double> maxNeedProbability) {
    return new Planner(
        new PlanLimits(
            ActionBudgets.perPlan(9),
            Duration.ZERO,
            time("5m"),
            Duration.ZERO,
            List.of(),
            maxNeedProbability));
  }

  private static Due onDemand(String name, IdleOutcomes outcomes) {
    return onDemand(
        name,
        "1h",
        false,
        new OwnPast.Counted(outcomes, new IdleOutcomes(0, 0), Duration.ofDays(7)));
  }

  private static Due onDemand(String name, String idleFor, boolean spared, OwnPast past) {
    return new Due(
        new Workload("ml", Optional.empty(), List.of(pod(name).gpus(1).draw())),
        ago(idleFor),
        time(idleFor),
        ago("1h"),
        Mode.ON_DEMAND,
        new EvictPod(),
        WorkloadClass.INTERACTIVE,
        spared,
        past);
  }

  @Test
  void aLeaderBeginsWithEmptyBudgets() {
    Planner planner = planner(new ActionBudgets(9, 4, NamespaceBudget.NONE, MANY, 1));
    PlanHistory leading = FRESH.at(true, false, NOW);

    assertThat(steps(planner, leading, NOW, due("ml", "a", 9)))
        .containsExactly("wait a: HOUR_SPENT");
    assertThat(steps(planner, leading, at("30m"), due("ml", "a", 9))).containsExactly("evict a");
    assertThat(steps(planner, leading.at(false, false, at("1m")), NOW, due("ml", "a", 9)))
        .as("who does not lead shows what a leader with whole budgets would do")
        .containsExactly("evict a");
  }

  @Test
  void theFirstLeaderEverBeginsWithWholeBudgets() {
    Planner planner = planner(new ActionBudgets(9, 4, NamespaceBudget.NONE, MANY, 1));
    PlanHistory leading = FRESH.at(true, true, NOW);

    assertThat(
            steps(planner, leading, NOW, due("ml", "a", 9), due("ml", "b", 8), due("ml", "c", 7)))
        .as("half of the budget at once, as at any other time")
        .containsExactly("evict a", "evict b", "wait c: HOUR_SPENT");
  }

  @Test
  void evictsAtMostTheHourlyBudget_andRemembersEvictions() {
    Planner planner = planner(new ActionBudgets(9, 4, NamespaceBudget.NONE, MANY, 1));

    PlanHistory memory = evictAll(planner, FRESH, NOW, 9);
    assertThat(evicted(planner, FRESH, NOW, 9)).isEqualTo(2);
    assertThat(evicted(planner, memory, at("29m"), 9)).isZero();
    assertThat(evicted(planner, memory, at("30m"), 9)).isEqualTo(1);
    assertThat(evicted(planner, memory, at("9h"), 9)).isEqualTo(2);
  }

  @Test
  void evictsAtMostTheHourlyBudgetOfANamespace() {
    Planner planner = planner(new ActionBudgets(9, 1000, new NamespaceBudget(9, 4), MANY, 1));

    PlanHistory memory = evictAll(planner, FRESH, NOW, 9);
    assertThat(
            steps(
                planner,
                memory,
                at("1m"),
                due("ml", "x", 9),
                due("web", "y", 8),
                due("web", "z", 7),
                due("web", "zz", 6)))
        .containsExactly(
            "evict y", "evict z", "wait x: NAMESPACE_HOUR_SPENT", "wait zz: NAMESPACE_HOUR_SPENT");
  }

  @Test
  void evictsAtMostTheDailyBudgetOfAName_whenItReturnsAfterAnHour() {
    Planner planner = planner(new ActionBudgets(9, 1000, NamespaceBudget.NONE, 2, 1));

    PlanHistory memory = evict(planner, FRESH, NOW, List.of(due("ml", "a", 9)));
    memory = evict(planner, memory, at("5h"), List.of(due("ml", "a", 9)));
    assertThat(steps(planner, memory, at("10h"), due("ml", "a", 9), due("ml", "b", 8)))
        .containsExactly("evict b", "wait a: OWNER_DAY_SPENT");
    assertThat(steps(planner, memory, at("10h"), due("web", "a", 9)))
        .as("a pod of the same name elsewhere is another")
        .containsExactly("evict a");
    assertThat(steps(planner, memory, at("23h59m"), due("ml", "a", 9)))
        .containsExactly("wait a: OWNER_DAY_SPENT");

    memory = evict(planner, memory, at("24h"), List.of(due("ml", "a", 9)));
    assertThat(steps(planner, memory, at("28h"), due("ml", "a", 9)))
        .containsExactly("wait a: OWNER_DAY_SPENT");
    assertThat(steps(planner, memory, at("29h"), due("ml", "a", 9))).containsExactly("evict a");
  }

  @Test
  void reclaimsAtMostTheShareOfGpusInAnHour_inOrder() {
    Planner planner = planner(new ActionBudgets(9, 1000, NamespaceBudget.NONE, MANY, 0.1));

    assertThat(
            steps(
                planner,
                FRESH,
                NOW,
                due(pod("a").gpus(3), "ml", 9),
                due(pod("b").gpus(3), "ml", 8),
                due(pod("c").gpus(1), "ml", 7)))
        .containsExactly("evict a", "wait b: GPU_SHARE_SPENT", "wait c: GPU_SHARE_SPENT");
  }

  @Test
  void countsClaimedDevicesLikeOthers() {
    Planner planner = planner(new ActionBudgets(9, 1000, NamespaceBudget.NONE, MANY, 0.1));

    assertThat(
            steps(
                planner,
                FRESH,
                NOW,
                due(claiming("a", 3), "ml", 9),
                due(claiming("b", 3), "ml", 8),
                due(pod("c").gpus(1), "ml", 7)))
        .containsExactly("evict a", "wait b: GPU_SHARE_SPENT", "wait c: GPU_SHARE_SPENT");
  }

  @Test
  void whatIsClaimedMakesTheShareNoLarger() {
    Planner planner = planner(new ActionBudgets(9, 1000, NamespaceBudget.NONE, MANY, 0.1));

    assertThat(
            steps(
                planner,
                FRESH,
                NOW,
                due(claiming("a", 3), "ml", 9),
                due(claiming("b", 3), "ml", 8),
                due(claiming("c", 3), "ml", 7),
                due(claiming("wide", 100), "ml", 1)))
        .containsExactly(
            "evict a",
            "wait b: GPU_SHARE_SPENT",
            "wait c: GPU_SHARE_SPENT",
            "wait wide: GPU_SHARE_SPENT");
  }

  private static PodDraft claiming(String name, int devices) {
    return pod(name).gpus(0).claimed(new Claimed.Devices(devices));
  }

  @Test
  void letsOneGoThatIsLargerThanTheShare_whenTheBudgetIsWhole() {
    Planner planner = planner(new ActionBudgets(9, 1000, NamespaceBudget.NONE, MANY, 0.1));
    Due large = due(pod("a").gpus(8), "ml", 9);

    assertThat(steps(planner, FRESH, NOW, large)).containsExactly("evict a");
    PlanHistory memory =
        FRESH.after(
            new Act(large, Optional.empty()),
            situation(List.of(), Map.of(), FRESH, NOW),
            planner.limits(),
            NOW);
    assertThat(steps(planner, memory, at("47m"), due("ml", "b", 9)))
        .containsExactly("wait b: GPU_SHARE_SPENT");
    assertThat(steps(planner, memory, at("48m"), due("ml", "b", 9))).containsExactly("evict b");
  }

  @ParameterizedTest
  @CsvSource({"100, 2", "749, 2", "750, 3", "1000, 4"})
  void theLimitOfACycleGrowsWithTheCluster(int gpus, int evictions) {
    var budgets =
        new ActionBudgets(
            new EvictionLimit(2, 0.004), EvictionLimit.of(MANY), NamespaceBudget.NONE, MANY, 1);

    assertThat(evictions(budgets, gpus)).isEqualTo(evictions);
  }

  @ParameterizedTest
  @CsvSource({"8, 2", "500, 2", "600, 3", "800, 4"})
  void theLimitOfAnHourGrowsWithTheCluster_andHalfOfItCanBeSpentAtOnce(int gpus, int evictions) {
    var budgets =
        new ActionBudgets(
            EvictionLimit.of(MANY), new EvictionLimit(4, 0.01), NamespaceBudget.NONE, MANY, 1);

    assertThat(evictions(budgets, gpus)).isEqualTo(evictions);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "7, 7, 0", "0.4%, 2, 0.004", "100%, 2, 1", "0%, 2, 0"})
  void readsANumberOrAShare(String text, int least, double share) {
    assertThat(EvictionLimit.parse(text, 2)).contains(new EvictionLimit(least, share));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "many", "1.5", "101%", "%", "1 %", "0.0004%", "12345678901"})
  void readsNothingElse(String text) {
    assertThat(EvictionLimit.parse(text, 2)).isEmpty();
  }

  private static long evictions(ActionBudgets budgets, int gpus) {
    List<Verdict> due =
        IntStream.range(0, 9).<Verdict>mapToObj(i -> due("ml", "pod-" + i, 9)).toList();
    PlanInput small = situation(due, Map.of(), FRESH, NOW);
    var cluster =
        new ClusterView(
            small.cluster().pods(),
            small.cluster().namespaces(),
            List.of(node("node-1", gpus)),
            small.cluster().owners());
    var input = new PlanInput(due, cluster, Map.of(), small.breaker(), FRESH, NOW);
    return planner(budgets).plan(input).entries().stream()
        .filter(each -> each.step() instanceof Act)
        .count();
  }

  @Test
  void beginsNothing_whileTheBreakerIsOpen_butTakesWarningsBack() {
    Planner planner = planner(ActionBudgets.perPlan(9));
    Workload workload = workload(pod("w"), "ml");
    var open =
        new CircuitBreaker.BreakerStatus(
            CoverageStats.EMPTY, List.of(new BreakerReason.LowCoverage(1, 9, 0.95)));
    var toWarn =
        new Verdict.ToWarn(
            workload,
            ago("1h"),
            time("1h"),
            Mode.NOTIFY,
            Optional.empty(),
            Optional.empty(),
            new EvictPod());
    var withdraw = new Verdict.ToWithdraw(workload(pod("x"), "ml"), Withdrawal.ACTIVE_AGAIN);
    List<Verdict> verdicts = List.of(due("ml", "a", 9), toWarn, withdraw);

    Plan plan = planner.plan(new PlanInput(verdicts, view(verdicts), Map.of(), open, FRESH, NOW));

    assertThat(words(plan))
        .containsExactly("withdraw x", "wait w: BREAKER_OPEN", "wait a: BREAKER_OPEN");
    assertThat(plan.entries().getLast().reason())
        .endsWith(", but not now: the circuit breaker is open");
  }

  @Test
  void servesAWaitingPodFromAnotherNamespace_whenOneHasSpentItsBudget() {
    Planner planner = planner(new ActionBudgets(9, 1000, new NamespaceBudget(1, 1000), MANY, 1));
    List<NodeView> nodes = List.of(node("node-1", 1), node("node-2", 1), node("node-3", 1));
    Due first = demanded(pod("a").on("node-1"), "ml", 9);
    Due same = demanded(pod("b").on("node-2"), "ml", 8);
    Due other = demanded(pod("c").on("node-3"), "web", 2);
    PodView one = pod("v").waiting(ago("9m")).draw();
    PodView two = pod("w").waiting(ago("8m")).draw();
    var cluster =
        new ClusterView(
            List.of(
                first.workload().firstPod(),
                same.workload().firstPod(),
                other.workload().firstPod(),
                one,
                two),
            Map.of(),
            nodes,
            Map.of());

    assertThat(words(planner.plan(List.of(first, same, other), cluster, NOW)))
        .containsExactly("evict a", "evict c", "wait b: NAMESPACE_BUDGET_SPENT");
  }

  private static PlanHistory evictAll(Planner planner, PlanHistory memory, Instant now, int count) {
    return evict(planner, memory, now, many(count));
  }

  private static PlanHistory evict(
      Planner planner, PlanHistory memory, Instant now, List<? extends Verdict> due) {
    PlanInput situation = situation(due, Map.of(), memory, now);
    PlanHistory after = memory;
    for (PlanEntry entry : planner.plan(situation).entries()) {
      if (entry.step() instanceof Act evict) {
        after = after.after(evict, situation, planner.limits(), now);
      }
    }
    return after;
  }

  private static long evicted(Planner planner, PlanHistory memory, Instant now, int count) {
    return planner.plan(situation(many(count), Map.of(), memory, now)).entries().stream()
        .filter(entry -> entry.step() instanceof Act)
        .count();
  }

  private static List<Verdict> many(int count) {
    return IntStream.range(0, count).<Verdict>mapToObj(i -> due("ml", "many-" + i, 9)).toList();
  }

  private static List<String> steps(Planner planner, PlanHistory memory, Instant now, Due... due) {
    return words(planner.plan(situation(List.of(due), Map.of(), memory, now)));
  }

  private static PlanInput situation(
      List<? extends Verdict> verdicts,
      Map<String, NamespaceBudget> caps,
      PlanHistory memory,
      Instant now) {
    return new PlanInput(
        List.copyOf(verdicts),
        view(verdicts),
        caps,
        CircuitBreaker.BreakerStatus.CLOSED,
        memory,
        now);
  }

  private static ClusterView view(List<? extends Verdict> verdicts) {
    List<PodView> pods =
        verdicts.stream()
            .flatMap(
                verdict ->
                    verdict instanceof Due due ? Stream.of(due.workload().firstPod()) : Stream.of())
            .toList();
    return new ClusterView(pods, Map.of(), NODES, Map.of());
  }

  private static List<String> words(Plan plan) {
    return plan.entries().stream()
        .map(PlanEntry::step)
        .map(
            step ->
                switch (step) {
                  case Act evict -> "evict " + evict.verdict().workload().name();
                  case Wait wait -> "wait " + wait.verdict().workload().name() + ": " + wait.why();
                  case Step.Warn warn -> "warn " + warn.verdict().workload().name();
                  case Step.Withdraw back -> "withdraw " + back.verdict().workload().name();
                })
        .toList();
  }

  private static Planner planner(ActionBudgets budgets) {
    return new Planner(new PlanLimits(budgets, Duration.ZERO, time("5m")));
  }

  private static Due due(String namespace, String name, int hoursIdle) {
    return due(pod(name), namespace, hoursIdle);
  }

  private static Due due(PodDraft pod, String namespace, int hoursIdle) {
    return due(pod, namespace, hoursIdle, Mode.ALWAYS);
  }

  private static Due demanded(PodDraft pod, String namespace, int hoursIdle) {
    return due(pod, namespace, hoursIdle, Mode.ON_DEMAND);
  }

  private static Due due(PodDraft pod, String namespace, int hoursIdle, Mode mode) {
    Duration idle = Duration.ofHours(hoursIdle);
    return new Due(
        workload(pod, namespace), NOW.minus(idle), idle, ago("1h"), mode, new EvictPod());
  }

  private static Workload workload(PodDraft pod, String namespace) {
    return new Workload(namespace, Optional.empty(), List.of(pod.namespace(namespace).draw()));
  }

  private static Instant at(String later) {
    return NOW.plus(time(later));
  }
}
