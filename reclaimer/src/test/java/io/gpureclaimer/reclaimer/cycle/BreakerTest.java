package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.plan.ActionBudgets;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whole cycles under a circuit breaker and budgets as they are by default. */
class BreakerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SETTLES = Duration.ofMinutes(5);
  private static final CircuitBreaker.Limits BREAKER =
      new CircuitBreaker.Limits(
          0.95,
          0.2,
          5,
          Duration.ofMinutes(30),
          Duration.ofMinutes(5),
          SETTLES,
          JudgeScenario.LIMITS.maxSkew());
  private static final PlanLimits LIMITS =
      new PlanLimits(
          new ActionBudgets(2, 30, new NamespaceBudget(2, 10), 3, 0.1),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5));

  private static final Map<String, String> AFTER_TEN_MINUTES =
      Map.of(
          Annotations.STARTUP_GRACE,
          "2m",
          Annotations.IDLE_AFTER,
          "10m",
          Annotations.WARN_BEFORE,
          "5m");

  private final SmallCluster world = SmallCluster.in("always");

  @Test
  void warnsAndEvictsNoPod_untilTheLeaderHasSettled() {
    PodRef pod = world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);
    InMemoryReplica replica = InMemoryReplica.leading("careful", world, unlimited(), BREAKER);

    CycleReport first = replica.run();
    assertThat(first.breaker().reasons())
        .containsExactly(
            new BreakerReason.FreshLeader(
                world.clock.instant(), world.clock.instant().plus(SETTLES)));
    assertThat(first.results()).isEmpty();
    world.pass(SETTLES.minus(MINUTE));
    assertThat(replica.run().results()).isEmpty();
    assertThat(world.notes(pod)).isEmpty();

    world.pass(MINUTE);
    assertThat(replica.run().results()).hasSize(1);
    assertThat(world.notes(pod)).containsKey("warned-at");
  }

  @Test
  void actsOnNothingThatItPlannedAsAFollower() {
    PodRef pod = world.duePod("train-0");
    world.replica.leadership().loseTo("replica-2");
    CycleReport looked = world.replica.cycle().plan();
    world.replica.leadership().win();

    assertThat(world.replica.cycle().act(looked, _ -> {}).results()).isEmpty();
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void takesWarningsBack_whileItIsOpen() {
    PodRef pod = world.warnedPod("train-0");
    InMemoryReplica replica = InMemoryReplica.leading("careful", world, unlimited(), BREAKER);
    world.agents.work(pod);
    world.pass(MINUTE);

    assertThat(replica.run().breaker().isOpen()).isTrue();
    assertThat(world.notes(pod)).isEmpty();
    assertThat(world.reported(pod)).containsExactly("GPUIdleWarned", "GPUIdleWarningWithdrawn");
  }

  @Test
  void opensWithinOneCycle_andEvictsNoPod_whenEverythingIsSuddenlyIdle() {
    InMemoryReplica replica = InMemoryReplica.leading("careful", world, unlimited(), BREAKER);
    PodRef due = world.pod("due");
    List<PodRef> busy = IntStream.range(0, 7).mapToObj(i -> world.pod("busy-" + i)).toList();
    busy.forEach(world.agents::work);
    live(replica, SmallCluster.UNTIL_WARNED.plus(SmallCluster.GRACE).minus(MINUTE));
    assertThat(world.notes(due)).containsKey("warned-at");

    busy.forEach(world.agents::rest);
    world.pass(MINUTE);
    CycleReport poisoned = replica.run();

    assertThat(poisoned.breaker().reasons())
        .hasOnlyElementsOfType(BreakerReason.IdleJump.class)
        .hasSize(1);
    assertThat(poisoned.results()).isEmpty();
    assertThat(world.isEvicted(due)).isFalse();
    live(replica, Duration.ofMinutes(29));
    assertThat(world.isEvicted(due)).isFalse();
    live(replica, Duration.ofMinutes(3));
    assertThat(world.isEvicted(due)).as("the new level has lasted").isTrue();
  }

  /** Jobs that load in the first cycle, in a cluster without any other. */
  @Test
  void actsFiveMinutesAfterTheIdleLimitAtTheLatest_whenEightPodsStartTogether() {
    InMemoryReplica replica = InMemoryReplica.leading("new", world, LIMITS, BREAKER);
    var _ = replica.run();
    List<PodRef> pods =
        IntStream.range(0, 8)
            .mapToObj(i -> world.pod("pod-" + i, 1, pod -> pod.withAnnotations(AFTER_TEN_MINUTES)))
            .toList();
    Duration limit = Duration.ofMinutes(2 + 10).plus(SETTLES);

    live(replica, limit.plus(MINUTE));

    assertThat(evicted(pods)).hasSize(1);
  }

  @Test
  void evictsWithinItsBudgets_howeverMuchIsDue_andHoweverOftenItRestarts() {
    List<PodRef> pods = eightDuePods();

    for (int start = 0; start < 6; start++) {
      live(
          InMemoryReplica.leading("replica-" + start, world, LIMITS, BREAKER),
          Duration.ofMinutes(10));
    }
    assertThat(evicted(pods)).isEmpty();

    live(InMemoryReplica.leading("lasting", world, LIMITS, BREAKER), Duration.ofMinutes(60));
    assertThat(evicted(pods)).as("at 15, 30 and 45 minutes, by the share of GPUs").hasSize(3);
  }

  @Test
  void countsAnEvictionWhoseAnswerIsLost() {
    List<PodRef> pods = eightDuePods();
    var limits =
        new PlanLimits(
            new ActionBudgets(1, 2, NamespaceBudget.NONE, 3, 1),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5));
    InMemoryReplica replica = InMemoryReplica.leading("unlucky", world, limits);
    live(replica, Duration.ofMinutes(60));
    assertThat(evicted(pods)).isEmpty();

    replica.wire().after(ApiInterceptor.InterceptedCall.EVICT, BreakerTest::cutOff);
    live(replica, Duration.ofMinutes(60));

    assertThat(evicted(pods)).hasSize(1);
  }

  private static void cutOff() {
    throw new ClusterUnreachable("evict", "the answer is lost");
  }

  /** They have been warned and are due at once, however much follows from that. */
  private List<PodRef> eightDuePods() {
    List<PodRef> pods = IntStream.range(0, 8).mapToObj(i -> world.pod("pod-" + i)).toList();
    world.pass(SmallCluster.UNTIL_WARNED);
    world.replica.run();
    world.pass(SmallCluster.GRACE);
    return pods;
  }

  private List<PodRef> evicted(List<PodRef> pods) {
    return pods.stream().filter(world::isEvicted).toList();
  }

  private static PlanLimits unlimited() {
    return InMemoryReplica.LIMITS;
  }

  private void live(InMemoryReplica replica, Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minus(MINUTE)) {
      try {
        var _ = replica.run();
      } catch (ClusterUnreachable _) {
        // The job tries again in the next cycle.
      }
      world.pass(MINUTE);
    }
  }
}
