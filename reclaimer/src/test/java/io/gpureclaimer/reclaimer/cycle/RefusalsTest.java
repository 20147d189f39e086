package io.gpureclaimer.reclaimer.cycle;

import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.ANNOTATE;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.EVICT;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.GET;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.REPORTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.DisruptionBudget;
import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Refused evictions: when they are retried, and that they delay no other eviction. */
class RefusalsTest {
  private static final String NO_ROOM =
      "Cannot evict pod as it would violate the pod's disruption budget.";
  private static final Map<String, String> GUARDED = Map.of("app", "notebook");

  private final SmallCluster world = SmallCluster.in("always");

  @Test
  void postpones_whenADisruptionBudgetHasNoRoom() {
    PodRef pod = world.pod("notebook", 1, spec -> spec.withLabels(GUARDED));
    world.cluster.addBudget(new DisruptionBudget(SmallCluster.NAMESPACE, "keep-one", GUARDED, 1));
    makeDue();

    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.replica.takeDeeds())
        .containsExactly(
            "evict notebook: not before 2026-03-02T09:00:30Z: "
                + NO_ROOM
                + " The disruption budget keep-one needs 1 healthy pods and has 1 currently");
  }

  @Test
  void reportsWhyItWaits_withoutAskingAgain() {
    PodRef pod = blockedPod("notebook", Optional.of(Duration.ofMinutes(5)));
    makeDue();
    world.cycle();
    world.wire.takeCalls();
    world.pass(Duration.ofMinutes(1));

    CycleReport report = world.cycle();

    assertThat(world.wire.takeCalls()).isEmpty();
    assertThat(report.plan().entries()).isEmpty();
    assertThat(report.postponed())
        .containsExactly(
            new Postponement(
                report.judgments().getFirst().verdict(),
                Instant.parse("2026-03-02T09:05:00Z"),
                NO_ROOM));
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void evicts_asSoonAsTheBudgetHasRoom() {
    PodRef pod = world.pod("notebook", 1, spec -> spec.withLabels(GUARDED));
    world.cluster.addBudget(new DisruptionBudget(SmallCluster.NAMESPACE, "keep-one", GUARDED, 1));
    makeDue();
    world.cycle();
    world.cluster.removeBudget(SmallCluster.NAMESPACE, "keep-one");
    world.pass(Duration.ofSeconds(30));

    world.cycle();

    assertThat(world.isEvicted(pod)).isTrue();
  }

  @Test
  void waitsTwiceAsLongEachTime_upToHalfAnHour() {
    blockedPod("notebook", Optional.empty());
    makeDue();

    assertThat(triesWithin(Duration.ofHours(2)))
        .containsExactly(
            Duration.ZERO,
            Duration.ofSeconds(30),
            Duration.ofSeconds(90),
            Duration.ofSeconds(210),
            Duration.ofSeconds(450),
            Duration.ofSeconds(930),
            Duration.ofSeconds(1890),
            Duration.ofSeconds(3690),
            Duration.ofSeconds(5490));
  }

  @Test
  void waitsExactlyAsLongAsTheServerAsks() {
    blockedPod("notebook", Optional.of(Duration.ofSeconds(10)));
    makeDue();

    assertThat(triesWithin(Duration.ofSeconds(35)))
        .containsExactly(
            Duration.ZERO, Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(30));
  }

  @Test
  void waitsLongerThanHalfAnHour_whenTheServerAsksForIt() {
    blockedPod("notebook", Optional.of(Duration.ofHours(1)));
    makeDue();

    assertThat(triesWithin(Duration.ofMinutes(119)))
        .containsExactly(Duration.ZERO, Duration.ofHours(1));
  }

  @Test
  void waitsNonetheless_whenTheServerAsksForNoTimeAtAll() {
    blockedPod("notebook", Optional.of(Duration.ZERO));
    makeDue();

    assertThat(triesWithin(Duration.ofSeconds(31)))
        .containsExactly(Duration.ZERO, Duration.ofSeconds(30));
  }

  @Test
  void servesTheNextOne_inTheSameCycle_whenAllThatWerePlannedAreRefused() {
    blockedPod("first", Optional.empty());
    blockedPod("second", Optional.empty());
    world.pass(Duration.ofSeconds(10));
    PodRef third = world.pod("third");
    makeDue();

    world.cycle();

    assertThat(world.isEvicted(third)).isTrue();
  }

  @Test
  void neverEvictsMoreThanTheBudget_whateverIsRefused() {
    blockedPod("first", Optional.empty());
    world.pass(Duration.ofSeconds(10));
    for (int i = 0; i < 5; i++) {
      world.pod("other-" + i);
    }
    makeDue();
    var evicted = new ArrayList<Long>();

    for (int i = 0; i < 4; i++) {
      world.cycle();
      evicted.add(world.cluster.view().pods().stream().filter(pod -> pod.terminating()).count());
    }

    assertThat(evicted).containsExactly(1L, 3L, 5L, 5L);
  }

  @Test
  void servesOthersForever_howeverManyAreRefused() {
    InMemoryReplica onePerCycle =
        InMemoryReplica.leading("strict", world, new PlanLimits(1, Duration.ZERO));
    for (int i = 0; i < 6; i++) {
      world.pod("blocked-" + i, 1, spec -> spec.withLabels(GUARDED));
    }
    world.cluster.addBudget(new DisruptionBudget(SmallCluster.NAMESPACE, "keep-all", GUARDED, 6));
    world.pass(Duration.ofSeconds(10));
    PodRef one = world.pod("one");
    PodRef other = world.pod("other");
    world.pass(SmallCluster.UNTIL_WARNED);
    onePerCycle.run();
    world.pass(SmallCluster.GRACE);

    onePerCycle.run();
    assertThat(List.of(world.isEvicted(one), world.isEvicted(other)))
        .containsExactlyInAnyOrder(true, false);

    world.pass(Duration.ofMinutes(1));
    onePerCycle.run();
    assertThat(world.isEvicted(one) && world.isEvicted(other)).isTrue();
  }

  @Test
  void servesTheNextOne_whenASecondLookAlwaysFails() {
    PodRef first = world.pod("first");
    world.agents.hideUtilization(first);
    world.pass(Duration.ofSeconds(10));
    PodRef second = world.pod("second");
    makeDue();
    InMemoryReplica onePerCycle =
        InMemoryReplica.leading("strict", world, new PlanLimits(1, Duration.ZERO));

    onePerCycle.run();

    assertThat(world.isEvicted(second)).isTrue();
    assertThat(onePerCycle.takeDeeds())
        .containsExactly(
            "evict first: spared: the raw utilization of GPU-0 is missing", "evict second: done");
  }

  @Test
  void leavesTheRestToTheNextCycle_whenRefusalsTakeLong() {
    for (int i = 0; i < 6; i++) {
      world.pod("notebook-" + i);
    }
    makeDue();
    world.agents.goBlindAtSecondLook("no answer within 60 s");
    world.agents.beforeSecondLook(() -> world.pass(Duration.ofSeconds(60)));

    world.cycle();

    assertThat(world.agents.secondLooks()).hasSize(2);
  }

  @Test
  void takesAnotherPodForTheOneThatWaits_whenTheFirstIsRefused() {
    world.mode("on-demand");
    blockedPod("first", Optional.empty());
    world.pass(Duration.ofSeconds(10));
    PodRef second = world.pod("second");
    fillUp("busy", 6);
    makeDue();
    world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "waiting", 1));
    world.pass(Duration.ofMinutes(1));

    world.cycle();

    assertThat(world.isEvicted(second)).isTrue();
    assertThat(world.messages())
        .anySatisfy(
            message -> assertThat(message).contains(" Pod research/waiting is pending for 1 GPU."));
  }

  @Test
  void evictsNoneOfSeveral_whenTheFirstOfThemIsRefused() {
    world.mode("on-demand");
    PodRef first = blockedPod("first", Optional.empty());
    world.pass(Duration.ofSeconds(10));
    PodRef second = world.pod("second");
    fillUp("busy", 6);
    makeDue();
    world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "waiting", 2));
    world.pass(Duration.ofMinutes(1));

    world.cycle();

    assertThat(world.isEvicted(first)).isFalse();
    assertThat(world.isEvicted(second)).isFalse();
    assertThat(world.replica.takeDeeds())
        .endsWith(
            "evict second: spared: its GPUs alone would not do, and another workload keeps its own");
  }

  @Test
  void evictsNoPod_whenThePodThatWaitedIsGone() {
    world.mode("on-demand");
    PodRef pod = world.pod("first");
    fillUp("busy", 7);
    makeDue();
    PodRef first = world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "waiting", 1));
    PodRef second = world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "waits-too", 1));
    world.pass(Duration.ofMinutes(1));
    ReclaimCycle cycle = world.replica.cycle();
    CycleReport looked = cycle.plan();
    world.cluster.delete(first);
    world.cluster.delete(second);

    cycle.act(looked, _ -> {});

    assertThat(looked.plan().entries()).anyMatch(entry -> entry.step() instanceof Step.Act);
    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.wire.takeCalls()).doesNotContain(EVICT, GET);
  }

  @Test
  void triesLater_whenTheApiServerRefusesForAnotherReason() {
    PodRef pod = world.duePod("train-0");
    world.cluster.refuse(ApiVerb.EVICT_POD, 500, "two budgets");

    world.cycle();
    assertThat(world.replica.takeDeeds())
        .endsWith("evict train-0: failed: the API server answered 500: two budgets");

    world.cluster.allow(ApiVerb.EVICT_POD);
    world.pass(Duration.ofSeconds(29));
    world.cycle();
    assertThat(world.isEvicted(pod)).isFalse();

    world.pass(Duration.ofSeconds(1));
    world.cycle();
    assertThat(world.isEvicted(pod)).isTrue();
  }

  @Test
  void doesNotNotifyOwnersEveryMinute_whenTheNoteIsRefused() {
    PodRef pod = world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cluster.refuse(ApiVerb.PATCH_POD, 403, "no");

    for (int i = 0; i < 60; i++) {
      world.cycle();
      world.pass(Duration.ofMinutes(1));
    }

    assertThat(world.reported(pod)).hasSize(7);
    assertThat(world.replica.takeDeeds())
        .contains("warn train-0: failed: the API server answered 403: no");
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void warnsAtTheSecondTry_whenThePodChangedInTheLastMoment() {
    PodRef pod = world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);
    world.wire.before(ANNOTATE, () -> world.annotate(pod, "team", "vision"));

    world.cycle();

    assertThat(world.notes(pod)).containsKey("warned-at");
    assertThat(world.wire.takeCalls()).containsExactly(REPORTS, ANNOTATE, GET, ANNOTATE);
  }

  private PodRef blockedPod(String name, Optional<Duration> retryAfter) {
    PodRef pod = world.pod(name);
    world.wire.answerEviction(pod, new ActionResult.Blocked(retryAfter, NO_ROOM));
    return pod;
  }

  /** Busy pods that leave no GPU free. */
  private void fillUp(String name, int gpus) {
    world.agents.work(world.pod(name, gpus));
  }

  private void makeDue() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.wire.takeCalls();
    world.replica.takeDeeds();
  }

  /** When an eviction was asked for, from now on, with a cycle every five seconds. */
  private List<Duration> triesWithin(Duration time) {
    Instant start = world.clock.instant();
    var tries = new ArrayList<Duration>();
    while (world.clock.instant().isBefore(start.plus(time))) {
      world.cycle();
      if (world.wire.takeCalls().contains(EVICT)) {
        tries.add(Duration.between(start, world.clock.instant()));
      }
      world.pass(Duration.ofSeconds(5));
    }
    return tries;
  }
}
