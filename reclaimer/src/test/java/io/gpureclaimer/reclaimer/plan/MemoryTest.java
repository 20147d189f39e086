package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.Scene.NOW;
import static io.gpureclaimer.reclaimer.verdict.Scene.ago;
import static io.gpureclaimer.reclaimer.verdict.Scene.node;
import static io.gpureclaimer.reclaimer.verdict.Scene.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Plan.Entry;
import io.gpureclaimer.reclaimer.plan.Step.Evict;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
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

class MemoryTest {
  private static final Planner PLANNER =
      new Planner(new PlanLimits(Budgets.perPlan(9), Duration.ZERO, time("5m")));

  @Test
  void aPodThatComesBackWithinTheHourIsARegret_countedOnce() {
    Memory memory = evicted(Memory.none(NOW), due(pod("a"), Mode.ALWAYS), Optional.empty(), NOW);
    PodView back = pod("a").uid("a-2").draw();

    Memory.News news = news(memory, at("59m"), back);
    assertThat(news.found())
        .containsExactly(new Aftermath.Regretted(back.ref(), 1, Duration.ofHours(1)));
    assertThat(news(news.memory(), at("60m"), back).found()).isEmpty();
  }

  @Test
  void aPodThatComesBackLaterIsNoRegret_norIsTheEvictedOneWhileItTerminates() {
    Memory memory = evicted(Memory.none(NOW), due(pod("a"), Mode.ALWAYS), Optional.empty(), NOW);

    assertThat(news(memory, at("61m"), pod("a").uid("a-2").draw()).found()).isEmpty();
    assertThat(news(memory, at("1m"), pod("a").terminating().draw()).found()).isEmpty();
    assertThat(news(memory, at("1m"), pod("b").draw()).found()).isEmpty();
  }

  @Test
  void aContestedNameIsLeftAlone_twiceAsLongEachTime_upToADay() {
    Memory memory = Memory.none(NOW);
    Instant now = NOW;
    for (long hours : List.of(1L, 2L, 4L, 8L, 16L, 24L, 24L)) {
      Due due = due(pod("a"), Mode.ALWAYS);
      assertThat(steps(memory, now, List.of(due)))
          .containsExactly(new Evict(due, Optional.empty()));
      memory = evicted(memory, due, Optional.empty(), now);
      memory = news(memory, now.plusSeconds(60), pod("a").uid("a-2").draw()).memory();
      Instant cool = now.plusSeconds(60).plus(Duration.ofHours(hours));

      assertThat(steps(memory, cool.minusMillis(1), List.of(due)))
          .containsExactly(new Wait(due, NotNow.COOLING_DOWN));
      now = cool;
    }
  }

  @Test
  void costsNoSecondVictim_whileTheFirstTerminates_norUntilTheTimeIsUp() {
    Due first = due(pod("a").on("node-1"), Mode.ON_DEMAND);
    Due second = due(pod("b").on("node-2"), Mode.ON_DEMAND);
    PodView waiting = pod("w").waiting(ago("9m")).draw();
    Memory memory = evicted(Memory.none(NOW), first, Optional.of(demand(waiting)), NOW);

    PodView terminating = pod("a").on("node-1").terminating().draw();
    memory = news(memory, at("1h"), terminating, second.pod(), waiting).memory();
    assertThat(steps(memory, at("1h"), List.of(second), terminating, waiting))
        .containsExactly(new Wait(second, NotNow.NOT_NEEDED));

    PodView thief = pod("thief").on("node-1").draw();
    memory = news(memory, at("1h5m"), thief, second.pod(), waiting).memory();
    assertThat(steps(memory, at("1h5m"), List.of(second), thief, waiting))
        .containsExactly(new Wait(second, NotNow.NOT_NEEDED));

    memory = news(memory, at("1h5m1s"), thief, second.pod(), waiting).memory();
    assertThat(steps(memory, at("1h5m1s"), List.of(second), thief, waiting))
        .containsExactly(new Evict(second, Optional.of(demand(waiting))));
  }

  @Test
  void whatWasFreedForOneServesNobodyElse() {
    Due first = due(pod("a").on("node-1"), Mode.ON_DEMAND);
    Due second = due(pod("b").on("node-2"), Mode.ON_DEMAND);
    PodView served = pod("v").waiting(ago("9m")).draw();
    PodView next = pod("w").waiting(ago("8m")).draw();
    Memory memory = evicted(Memory.none(NOW), first, Optional.of(demand(served)), NOW);

    assertThat(steps(memory, at("1m"), List.of(second), served, next))
        .containsExactly(new Evict(second, Optional.of(demand(next))));
  }

  @Test
  void saysWhenTheWaitingPodHasANode() {
    PodView waiting = pod("w").waiting(ago("9m")).draw();
    Memory memory =
        evicted(Memory.none(NOW), due(pod("a"), Mode.ON_DEMAND), Optional.of(demand(waiting)), NOW);

    Memory.News news = news(memory, at("1m"), pod("w").on("node-1").draw());

    assertThat(news.found()).containsExactly(new Aftermath.Unblocked(waiting.ref(), time("10m")));
    assertThat(news(news.memory(), at("2m"), pod("w").on("node-1").draw()).found()).isEmpty();
  }

  @Test
  void isNotEndless() {
    Memory memory = Memory.none(NOW);
    for (int i = 0; i < 1000; i++) {
      Instant now = NOW.plus(Duration.ofHours(i));
      memory = evicted(memory, due(pod("pod-" + i), Mode.ALWAYS), Optional.empty(), now);
      memory = news(memory, now).memory();
    }

    assertThat(memory.names().traces()).hasSizeLessThan(30);
    assertThat(memory.nominations().all()).isEmpty();
  }

  private static Memory evicted(Memory before, Due due, Optional<Demand> forWhom, Instant now) {
    var situation = situation(before, now, List.of());
    return before.after(new Evict(due, forWhom), situation, PLANNER.limits(), now);
  }

  private static Memory.News news(Memory memory, Instant now, PodView... pods) {
    var view = new ClusterView(List.of(pods), Map.of(), List.of(), Map.of());
    return memory.news(view, PLANNER.limits(), now);
  }

  private static List<Step> steps(Memory memory, Instant now, List<Due> due, PodView... others) {
    return PLANNER.plan(situation(memory, now, due, others)).entries().stream()
        .map(Entry::step)
        .toList();
  }

  private static Situation situation(Memory memory, Instant now, List<Due> due, PodView... others) {
    var pods = new java.util.ArrayList<PodView>(List.of(others));
    due.forEach(each -> pods.add(each.pod()));
    var view =
        new ClusterView(pods, Map.of(), List.of(node("node-1", 1), node("node-2", 1)), Map.of());
    return new Situation(List.copyOf(due), view, Map.of(), Health.GOOD, memory, now);
  }

  private static Due due(PodDraft pod, Mode mode) {
    var workload = new Workload("ml", Optional.empty(), List.of(pod.draw()));
    return new Due(workload, ago("2h"), time("2h"), ago("1h"), mode);
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
}
