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
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.PlanHistory.FollowUp;
import io.gpureclaimer.reclaimer.plan.Planner.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanHistoryTest {
  private static final List<NodeView> NODES = List.of(node("node-1", 1), node("node-2", 1));
  private static final Planner PLANNER =
      new Planner(new PlanLimits(ActionBudgets.perPlan(9), Duration.ZERO, time("5m")));

  @Test
  void aPodThatComesBackWithinTheHourIsARegret_countedOnce() {
    PlanHistory history =
        evicted(PlanHistory.none(NOW), due(pod("a"), Mode.ALWAYS), Optional.empty(), NOW);
    PodView back = pod("a").uid("a-2").draw();

    PlanHistory.FollowUps news = news(history, at("59m"), back);
    assertThat(news.found())
        .containsExactly(new FollowUp.Recreated(back.ref(), 1, Duration.ofHours(1)));
    assertThat(news(news.history(), at("60m"), back).found()).isEmpty();
  }

  @Test
  void aPodThatComesBackLaterIsNoRegret_norIsTheEvictedOneWhileItTerminates() {
    PlanHistory history =
        evicted(PlanHistory.none(NOW), due(pod("a"), Mode.ALWAYS), Optional.empty(), NOW);

    assertThat(news(history, at("61m"), pod("a").uid("a-2").draw()).found()).isEmpty();
    assertThat(news(history, at("1m"), pod("a").terminating().draw()).found()).isEmpty();
    assertThat(news(history, at("1m"), pod("b").draw()).found()).isEmpty();
  }

  @Test
  void aContestedNameIsLeftAlone_twiceAsLongEachTime_upToADay() {
    PlanHistory history = PlanHistory.none(NOW);
    Instant now = NOW;
    for (long hours : List.of(1L, 2L, 4L, 8L, 16L, 24L, 24L)) {
      Due due = due(pod("a"), Mode.ALWAYS);
      assertThat(steps(history, now, List.of(due))).containsExactly(new Act(due, Optional.empty()));
      history = evicted(history, due, Optional.empty(), now);
      history = news(history, now.plusSeconds(60), pod("a").uid("a-2").draw()).history();
      Instant cool = now.plusSeconds(60).plus(Duration.ofHours(hours));

      assertThat(steps(history, cool.minusMillis(1), List.of(due)))
          .containsExactly(new Wait(due, WaitReason.COOLING_DOWN));
      now = cool;
    }
  }

  @Test
  void costsNoSecondVictim_whileTheFirstTerminates_norWhileItsGpusAreFree() {
    Due first = due(pod("a").on("node-1"), Mode.ON_DEMAND);
    Due second = due(pod("b").on("node-2"), Mode.ON_DEMAND);
    PodView waiting = pod("w").waiting(ago("9m")).draw();
    PlanHistory history = evicted(PlanHistory.none(NOW), first, Optional.of(demand(waiting)), NOW);

    PodView terminating = pod("a").on("node-1").terminating().draw();
    history = news(history, at("1h"), terminating, second.workload().firstPod(), waiting).history();
    assertThat(steps(history, at("1h"), List.of(second), terminating, waiting))
        .containsExactly(new Wait(second, WaitReason.NOT_NEEDED));

    history = news(history, at("1h1m"), second.workload().firstPod(), waiting).history();
    assertThat(steps(history, at("1h1m"), List.of(second), waiting))
        .containsExactly(new Wait(second, WaitReason.NOT_NEEDED));
  }

  @Test
  void getsAnotherVictimAtOnce_whenAnotherPodTookTheGpus() {
    Due first = due(pod("a").on("node-1"), Mode.ON_DEMAND);
    Due second = due(pod("b").on("node-2"), Mode.ON_DEMAND);
    PodView waiting = pod("w").waiting(ago("9m")).draw();
    PlanHistory history = evicted(PlanHistory.none(NOW), first, Optional.of(demand(waiting)), NOW);

    PodView other = pod("other").on("node-1").draw();
    PodView running = second.workload().firstPod();
    PlanHistory.FollowUps news = news(history, at("10s"), other, running, waiting);

    assertThat(news.found()).containsExactly(new FollowUp.TakenByOthers(waiting.ref(), "node-1"));
    assertThat(steps(news.history(), at("10s"), List.of(second), other, waiting))
        .containsExactly(actFor(second, waiting));
  }

  @Test
  void isNotOvertaken_whileItsNodeIsNotKnown() {
    PodView waiting = pod("w").waiting(ago("9m")).draw();
    PlanHistory history =
        evicted(
            PlanHistory.none(NOW),
            due(pod("a").on("node-1"), Mode.ON_DEMAND),
            Optional.of(demand(waiting)),
            NOW);
    var view = new ClusterView(List.of(waiting), Map.of(), NODES.subList(1, 2), Map.of());

    assertThat(history.followUps(view, PLANNER.limits(), at("10s")).found()).isEmpty();
  }

  @Test
  void gpusFreedForOnePodServeNoOther() {
    Due first = due(pod("a").on("node-1"), Mode.ON_DEMAND);
    Due second = due(pod("b").on("node-2"), Mode.ON_DEMAND);
    PodView served = pod("v").waiting(ago("9m")).draw();
    PodView next = pod("w").waiting(ago("8m")).draw();
    PlanHistory history = evicted(PlanHistory.none(NOW), first, Optional.of(demand(served)), NOW);

    assertThat(steps(history, at("1m"), List.of(second), served, next))
        .containsExactly(actFor(second, next));
  }

  @Test
  void saysWhenTheWaitingPodHasANode() {
    PodView waiting = pod("w").waiting(ago("9m")).draw();
    PlanHistory history =
        evicted(
            PlanHistory.none(NOW),
            due(pod("a"), Mode.ON_DEMAND),
            Optional.of(demand(waiting)),
            NOW);

    PlanHistory.FollowUps news = news(history, at("1m"), pod("w").on("node-1").draw());

    assertThat(news.found()).containsExactly(new FollowUp.PodBound(waiting.ref(), time("10m")));
    assertThat(news(news.history(), at("2m"), pod("w").on("node-1").draw()).found()).isEmpty();
  }

  @Test
  void saysThatGpusWereFreedInVain_whenThePodIsGoneOrGetsNoNodeInTime() {
    PodView waiting = pod("w").waiting(ago("9m")).draw();
    PlanHistory history =
        evicted(
            PlanHistory.none(NOW),
            due(pod("a"), Mode.ON_DEMAND),
            Optional.of(demand(waiting)),
            NOW);

    assertThat(news(history, at("1m"), waiting).found()).isEmpty();
    assertThat(news(history, at("1m")).found())
        .containsExactly(new FollowUp.PodGone(waiting.ref(), "node-1"));
    PlanHistory.FollowUps late = news(history, at("5m1s"), waiting);
    assertThat(late.found()).containsExactly(new FollowUp.NotScheduled(waiting.ref(), "node-1"));
    assertThat(news(late.history(), at("6m"), waiting).found()).isEmpty();
  }

  @Test
  void isNotEndless() {
    PlanHistory history = PlanHistory.none(NOW);
    for (int i = 0; i < 1000; i++) {
      Instant now = NOW.plus(Duration.ofHours(i));
      history = evicted(history, due(pod("pod-" + i), Mode.ALWAYS), Optional.empty(), now);
      history = news(history, now).history();
    }

    assertThat(history.actions().traces()).hasSizeLessThan(30);
    assertThat(history.nominations().all()).isEmpty();
  }

  private static PlanHistory evicted(
      PlanHistory before, Due due, Optional<Demand> demand, Instant now) {
    var situation = situation(before, now, List.of());
    String node = due.workload().firstPod().node().orElse("");
    var act = new Act(due, demand.map(each -> new Step.Beneficiary.PendingPod(each, node)));
    return before.after(act, situation, PLANNER.limits(), now);
  }

  private static PlanHistory.FollowUps news(PlanHistory history, Instant now, PodView... pods) {
    var view = new ClusterView(List.of(pods), Map.of(), NODES, Map.of());
    return history.followUps(view, PLANNER.limits(), now);
  }

  private static List<Step> steps(
      PlanHistory history, Instant now, List<Due> due, PodView... others) {
    return PLANNER.plan(situation(history, now, due, others)).entries().stream()
        .map(PlanEntry::step)
        .toList();
  }

  private static PlanInput situation(
      PlanHistory history, Instant now, List<Due> due, PodView... others) {
    var pods = new java.util.ArrayList<PodView>(List.of(others));
    due.forEach(each -> pods.add(each.workload().firstPod()));
    var view = new ClusterView(pods, Map.of(), NODES, Map.of());
    return new PlanInput(
        List.copyOf(due), view, Map.of(), CircuitBreaker.BreakerStatus.CLOSED, history, now);
  }

  private static Due due(PodDraft pod, Mode mode) {
    var workload = new Workload("ml", Optional.empty(), List.of(pod.draw()));
    return new Due(workload, ago("2h"), time("2h"), ago("1h"), mode, new EvictPod());
  }

  private static Demand demand(PodView pod) {
    return new Demand(
        pod.ref(),
        pod.gpus(),
        pod.priority(),
        pod.waiting().orElseThrow().since(),
        pod.placement());
  }

  private static Instant at(String later) {
    return NOW.plus(time(later));
  }

  private static Act actFor(Due due, PodView waiting) {
    String node = due.workload().firstPod().node().orElseThrow();
    return new Act(due, Optional.of(new Step.Beneficiary.PendingPod(demand(waiting), node)));
  }
}
