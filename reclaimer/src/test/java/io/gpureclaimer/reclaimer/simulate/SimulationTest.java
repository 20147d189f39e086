package io.gpureclaimer.reclaimer.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.GpuHolder;
import io.gpureclaimer.reclaimer.simulate.Simulation.FreedForPod;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.FreedFigures;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.ReclaimFigures;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.ReclaimedWorkload;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.UsageFigures;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.WaitFigures;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.WorkFigures;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.Autoscaling;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.Autoscaling.PoolSize;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Rules of other programs; {@code SimulateCommandTest} plays this one. */
class SimulationTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int HOUR = 3_600;

  /**
   * One node with two GPUs for four hours. A notebook is used for 10 minutes at first and for 30
   * after three hours, a service never, and a training of an hour arrives after an hour.
   */
  private static final WorkloadTrace TINY =
      new WorkloadTrace(
          "tiny",
          Duration.ofHours(4),
          List.of(new TracedNode("node-1", "H100", 2)),
          List.of(
              workload(
                  WorkloadKind.NOTEBOOK,
                  0,
                  4 * HOUR,
                  new ActivityPeriods.PeriodsBuilder()
                      .add(0, 600, 1)
                      .add(3 * HOUR, 3 * HOUR + 1_800, 1)
                      .build()),
              workload(WorkloadKind.SERVICE, 0, 4 * HOUR, ActivityPeriods.NONE),
              workload(
                  WorkloadKind.TRAINING,
                  HOUR,
                  HOUR,
                  new ActivityPeriods.PeriodsBuilder().add(600, HOUR, 1).build())),
          List.of());

  @Test
  void percentilesAreByTheNearestRank() {
    var waits = new WaitFigures(List.of(10, 20, 30), List.of(15));

    assertThat(waits.percentile(50)).hasValue(15);
    assertThat(waits.percentile(75)).hasValue(20);
    assertThat(waits.percentile(95)).hasValue(30);
    assertThat(WaitFigures.NONE.percentile(50)).isEmpty();
  }

  @Test
  void aPodStaysPending_whenNoProgramReclaims() {
    SimulationResult result = play(ComparedPolicy.NONE);

    assertThat(result.usage()).isEqualTo(new UsageFigures(8, 0, 0, 0, 2 / 3.0, 0));
    assertThat(result.pending())
        .isEqualTo(
            new TreeMap<>(
                Map.of(
                    "1", new WaitFigures(List.of(0, 0), List.of(3 * HOUR)),
                    "all", new WaitFigures(List.of(0, 0), List.of(3 * HOUR)))));
    assertThat(result.reclaims()).isEqualTo(new ReclaimFigures(0, Map.of(), 0, 0, 0, 0, 0, 0));
  }

  /**
   * The oracle stops the service at once and the notebook after three and a half hours. The
   * training gets the GPU of the service for an hour and the 30 seconds in which it terminates.
   */
  @Test
  void theOracleStopsWhatIsNeverUsedAgain() {
    SimulationResult result = play(ComparedPolicy.ORACLE);

    double held = 30 + (HOUR + 30) + (3.5 * HOUR + 30);
    assertThat(result.usage())
        .isEqualTo(new UsageFigures(held / HOUR, (8 * HOUR - held) / HOUR, 0, 0, 1.5, 0));
    assertThat(result.work())
        .isEqualTo(new WorkFigures(1, 1.5, Map.of("notebook", 2 / 3.0, "training", 5 / 6.0), 0, 0));
    assertThat(result.reclaims())
        .isEqualTo(new ReclaimFigures(2, Map.of("scale", 1, "stop", 1), 0, 0, 0, 0, 0, 0));
    assertThat(result.actions())
        .containsExactly(
            new ReclaimedWorkload(0, "service", "service", "scale", 1, false, Optional.empty(), 0),
            new ReclaimedWorkload(
                12_600, "notebook", "notebook", "stop", 1, false, Optional.empty(), 0));
    assertThat(result.freed())
        .isEqualTo(
            new FreedFigures(
                (4 * HOUR - 30 + 0.5 * HOUR - 30) / HOUR,
                (HOUR + 30.0) / HOUR,
                Map.of("training", (HOUR + 30.0) / HOUR),
                0,
                0));
    assertThat(result.allPending()).isEqualTo(new WaitFigures(List.of(0, 0, 0), List.of()));
  }

  /**
   * A program stops the service for the training after 70 minutes. That gets the GPU at the next
   * tick after the 30 seconds in which the service terminates, for its hour.
   */
  @Test
  void countsHowMuchOfTheFreedGpusTheirPodUsed() {
    SimulationResult result =
        Simulation.run(
            TINY,
            1,
            ComparedPolicy.FEWEST_PODS,
            MINUTE,
            (cluster, _, clock, _, _) -> new OneAction(cluster, clock));

    double used = result.freed().usedByUnits();
    assertThat(result.reclaims().byAction()).isEqualTo(Map.of("scale", 1));
    assertThat(used).isCloseTo(1, within(0.01));
    assertThat(result.freed().forUnits()).isCloseTo(used, within(0.01));
    assertThat(result.freed().total()).isGreaterThan(2.8);
  }

  /** A program that stops the service once, when the training is pending. */
  private record OneAction(SimulatedCluster cluster, Clock clock)
      implements Simulation.ReclaimerProgram {
    @Override
    public List<FreedForPod> runCycle() {
      if (!clock.instant().equals(WorkloadTrace.START.plusSeconds(70 * 60))) {
        return List.of();
      }
      List<PodView> pods = cluster.view().pods();
      cluster.writeOwnerField(
          "service",
          WorkloadKind.SERVICE.topOwner("service"),
          WorkloadKind.SERVICE.field(),
          WorkloadKind.SERVICE.stoppedValue(),
          "test");
      return List.of(new FreedForPod(List.of(ref(pods, "service")), ref(pods, "training")));
    }

    private static PodRef ref(List<PodView> pods, String namespace) {
      return pods.stream()
          .map(PodView::ref)
          .filter(pod -> pod.namespace().equals(namespace))
          .findFirst()
          .orElseThrow();
    }

    @Override
    public void betweenCycles() {}

    @Override
    public void close() {}
  }

  /**
   * The rule stops the service after 36 minutes, the first multiple of 3 minutes from 35 on, and
   * the notebook after 42, when it did nothing for 30. The person comes back 2h18m later, when a
   * GPU is free.
   */
  @Test
  void theFixedWindowStopsWhatIsUsedAgainLater() {
    SimulationResult result = play(ComparedPolicy.ANY_GPU_30M);

    assertThat(result.reclaims())
        .isEqualTo(new ReclaimFigures(2, Map.of("scale", 1, "stop", 1), 0, 0, 0, 1, 0, 1));
    assertThat(result.returns()).isEqualTo(new WaitFigures(List.of(0), List.of()));
    assertThat(result.usage().active()).isEqualTo(1.5);
  }

  /**
   * A training on two GPUs that is stopped after an hour, 1200 seconds after its checkpoint at
   * second 2400, and again an hour and half a minute after it had GPUs again, 1230 after the one at
   * second 4800. It ends before the rule would stop it again.
   */
  @Test
  void aTrainingThatIsStoppedWhileActive_repeatsWhatItDidSinceItsCheckpoint() {
    var trace =
        new WorkloadTrace(
            "slow",
            Duration.ofHours(6),
            List.of(new TracedNode("node-1", "H100", 2)),
            List.of(
                new TracedWorkload(
                    "ml",
                    "slow",
                    WorkloadKind.TRAINING,
                    0,
                    2 * HOUR,
                    2,
                    2,
                    Set.of(),
                    0,
                    2_400,
                    new ActivityPeriods.PeriodsBuilder().add(0, 2 * HOUR, 0.05).build())),
            List.of());

    SimulationResult result =
        Simulation.run(trace, 1, ComparedPolicy.AVERAGE_10, MINUTE, (_, _, _, _, _) -> fail());

    assertThat(result.reclaims())
        .isEqualTo(new ReclaimFigures(2, Map.of("suspend", 2), 2, 2, 2, 2, 0, 2));
    assertThat(result.work().lost()).isEqualTo(2 * (1_200 + 1_230) / 3_600.0);
    assertThat(result.work().useful() + result.work().lost())
        .isEqualTo(result.usage().active(), within(1e-9));
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"REPORT", "ON_DEMAND", "ALWAYS", "LONGEST_IDLE", "FEWEST_PODS", "RANDOM"})
  void gpuTimeIsConserved_andNoGpuIsHeldTwice(ComparedPolicy policy) {
    WorkloadTrace trace = SeedScenario.generate(4, Duration.ofHours(30), 7);
    var simulation = new Simulation(trace, 7, policy, MINUTE);

    SimulationResult result =
        simulation.play(simulation::applyRule, () -> requireSingleHolders(simulation.cluster()));

    assertThat(result.usage().allocated() + result.usage().free())
        .isEqualTo(trace.gpus() * 30.0, within(1e-6));
    assertThat(result.usage().active()).isPositive().isLessThan(result.usage().allocated());
    assertThat(result.freed().used()).isLessThanOrEqualTo(result.freed().total());
    assertThat(Simulation.run(trace, 7, policy, MINUTE, (_, _, _, _, _) -> fail()))
        .isEqualTo(result);
  }

  /**
   * A pod of priority 10 arrives after an hour. On the first node, one of two pods has to go, and
   * the one with priority 5 is spared; on the second node, one pod of two GPUs would have to go, of
   * priority 1. The victim repeats what it did since its checkpoint at second 2400.
   */
  @Test
  void preemptionEvictsFewestAndLowest() {
    SimulationResult result =
        Simulation.run(
            new WorkloadTrace(
                "priorities",
                Duration.ofHours(4),
                List.of(new TracedNode("node-1", "H100", 2), new TracedNode("node-2", "H100", 2)),
                List.of(
                    training("low", 0, 0, 1),
                    training("middle", 0, 5, 1),
                    training("wide", 0, 1, 2),
                    training("high", HOUR, 10, 1)),
                List.of()),
            1,
            ComparedPolicy.PREEMPTION,
            MINUTE,
            (_, _, _, _, _) -> fail());

    assertThat(result.actions())
        .containsExactly(
            new ReclaimedWorkload(
                HOUR, "ml", "low", "preempt", 1, true, Optional.of(0L), HOUR - 2_400));
    assertThat(result.pendingByPriority().get(10))
        .isEqualTo(new WaitFigures(List.of(30), List.of()));
    assertThat(result.work().lost()).isEqualTo((HOUR - 2_400) / 3_600.0);
    assertThat(result.work().trainings()).isEqualTo(4);
    assertThat(result.reclaims().disturbances()).isEqualTo(1);
  }

  @Test
  void preemptionTouchesNoEqual() {
    SimulationResult result =
        Simulation.run(
            new WorkloadTrace(
                "equals",
                Duration.ofHours(4),
                List.of(new TracedNode("node-1", "H100", 2)),
                List.of(
                    training("first", 0, 7, 2),
                    training("second", 60, 7, 1),
                    training("less", 60, 3, 1)),
                List.of()),
            1,
            ComparedPolicy.PREEMPTION,
            MINUTE,
            (_, _, _, _, _) -> fail());

    assertThat(result.actions()).isEmpty();
  }

  /** The kinds have priorities then: the notebook gets the GPU of the training. */
  @Test
  void preemptionTakesThePrioritiesOfKinds_whereTheTraceHasNone() {
    SimulationResult result =
        Simulation.run(
            new WorkloadTrace(
                "kinds",
                Duration.ofHours(4),
                List.of(new TracedNode("node-1", "H100", 1)),
                List.of(
                    training("train", 0, 0, 1),
                    workload(WorkloadKind.NOTEBOOK, HOUR, HOUR, ActivityPeriods.NONE)),
                List.of()),
            1,
            ComparedPolicy.PREEMPTION,
            MINUTE,
            (_, _, _, _, _) -> fail());

    assertThat(result.actions().stream().map(ReclaimedWorkload::name)).containsExactly("train");
  }

  /**
   * A group of two pods with two GPUs each arrives after half an hour and waits until one training
   * of two hours ends; a pod of one GPU that arrives later does not wait. Of its four GPUs, three
   * are used.
   */
  @Test
  void aGroupStartsWhenAllItsPodsFit() {
    SimulationResult result =
        Simulation.run(
            new WorkloadTrace(
                "group",
                Duration.ofHours(4),
                List.of(new TracedNode("node-1", "H100", 3), new TracedNode("node-2", "H100", 2)),
                List.of(
                    training("first", 0, 0, 2),
                    group("gang", HOUR / 2, 0, 3, 2, 2),
                    training("second", HOUR, 0, 1)),
                List.of()),
            1,
            ComparedPolicy.NONE,
            MINUTE,
            (_, _, _, _, _) -> fail());

    // Another pod holds its GPUs for 30 seconds after its end.
    int waited = 2 * HOUR + 30 - HOUR / 2;
    assertThat(result.pending())
        .isEqualTo(
            new TreeMap<>(
                Map.of(
                    "1", new WaitFigures(List.of(0), List.of()),
                    "2", new WaitFigures(List.of(0), List.of()),
                    "group-4", new WaitFigures(List.of(waited), List.of()),
                    "all", new WaitFigures(List.of(0, 0, waited), List.of()))));
    double ran = (2 * HOUR - 30) / 3_600.0;
    assertThat(result.usage().active()).isEqualTo(2 * 2 + 2 + 3 * ran, within(1e-9));
    assertThat(result.usage().allocated() + result.usage().free()).isEqualTo(5 * 4.0, within(1e-9));
  }

  /** A pod evicts one of two pods of a group, which loses the other one as well. */
  @Test
  void aGroupLosesAllItsPodsWithOne() {
    SimulationResult result =
        Simulation.run(
            new WorkloadTrace(
                "preempted group",
                Duration.ofHours(5),
                List.of(new TracedNode("node-1", "H100", 1), new TracedNode("node-2", "H100", 1)),
                List.of(group("gang", 0, 0, 2, 1, 1), training("high", HOUR, 10, 1)),
                List.of()),
            1,
            ComparedPolicy.PREEMPTION,
            MINUTE,
            (_, _, _, _, _) -> fail());

    assertThat(result.actions())
        .containsExactly(
            new ReclaimedWorkload(HOUR, "ml", "gang", "preempt", 2, true, Optional.of(0L), 2_400));
    // The group waits until the other one has ended.
    assertThat(result.returns()).isEqualTo(new WaitFigures(List.of(2 * HOUR + 60), List.of()));
    assertThat(result.work().lost()).isEqualTo(2_400 / 3_600.0);
  }

  @Test
  void gpuTimeIsConserved_alsoWithGroups() {
    WorkloadTrace seed = SeedScenario.generate(8, Duration.ofHours(30), 7);
    var trace =
        new WorkloadTrace(
            "groups",
            seed.length(),
            seed.nodes(),
            seed.workloads().stream().map(SimulationTest::inTwoPods).toList(),
            List.of());
    for (ComparedPolicy policy : List.of(ComparedPolicy.PREEMPTION, ComparedPolicy.AVERAGE_10)) {
      var simulation = new Simulation(trace, 7, policy, MINUTE);

      SimulationResult result =
          simulation.play(simulation::applyRule, () -> requireSingleHolders(simulation.cluster()));

      assertThat(result.usage().allocated() + result.usage().free())
          .isEqualTo(trace.gpus() * 30.0, within(1e-6));
      assertThat(result.reclaims().total()).as(policy.code()).isPositive();
      assertThat(result.pending().keySet()).anyMatch(key -> key.startsWith("group-"));
    }
  }

  /**
   * A second node comes five minutes after the second training does, and the first one goes ten
   * minutes after the first training has ended, which takes 30 seconds more. One has to stay.
   */
  @Test
  void anAutoscalerAddsANode_andRemovesIt() {
    WorkloadTrace trace =
        new WorkloadTrace(
                "autoscaled",
                Duration.ofHours(4),
                List.of(new TracedNode("node-1", "H100", 2)),
                List.of(training("first", 0, 0, 2), training("second", HOUR, 0, 2)),
                List.of())
            .autoscaled(autoscaling(1, 2));

    SimulationResult result =
        Simulation.run(trace, 1, ComparedPolicy.NONE, MINUTE, (_, _, _, _, _) -> fail());

    assertThat(result.allPending()).isEqualTo(new WaitFigures(List.of(0, 300), List.of()));
    int first = 2 * HOUR + 30 + 600;
    int second = 4 * HOUR - HOUR - 300;
    assertThat(result.usage().allocated() + result.usage().free())
        .isEqualTo(2 * (first + second) / 3_600.0, within(1e-9));
    assertThat(result.usage().allocated())
        .isEqualTo(2 * (2 * HOUR + 30) * 2 / 3_600.0, within(1e-9));
  }

  /** The oracle stops a service at once; its node goes, and what was freed ends with it. */
  @Test
  void freedGpusEndWithTheirNode() {
    WorkloadTrace trace =
        new WorkloadTrace(
                "freed",
                Duration.ofHours(4),
                List.of(new TracedNode("node-1", "H100", 1)),
                List.of(workload(WorkloadKind.SERVICE, 0, 4 * HOUR, ActivityPeriods.NONE)),
                List.of())
            .autoscaled(autoscaling(0, 1));

    SimulationResult result =
        Simulation.run(trace, 1, ComparedPolicy.ORACLE, MINUTE, (_, _, _, _, _) -> fail());

    assertThat(result.freed()).isEqualTo(new FreedFigures(600 / 3_600.0, 0, Map.of(), 0, 0));
    assertThat(result.usage().free()).isEqualTo(600 / 3_600.0, within(1e-9));
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"REPORT", "ON_DEMAND", "ALWAYS", "LONGEST_IDLE", "FEWEST_PODS", "RANDOM"})
  void noGpuIsHeldTwice_whileNodesComeAndGo(ComparedPolicy policy) {
    WorkloadTrace trace =
        SeedScenario.generate(6, Duration.ofHours(30), 7)
            .autoscaled(new Autoscaling(Map.of("H100", new PoolSize(2, 9)), MINUTE, MINUTE));
    var simulation = new Simulation(trace, 7, policy, MINUTE);

    SimulationResult result =
        simulation.play(simulation::applyRule, () -> requireSingleHolders(simulation.cluster()));

    assertThat(result.usage().allocated() + result.usage().free())
        .isNotCloseTo(trace.gpus() * 30.0, within(1e-6))
        .isBetween(2 * 8 * 30.0, 9 * 8 * 30.0);
    assertThat(result.usage().fragmented()).isBetween(0.0, result.usage().free());
    assertThat(Simulation.run(trace, 7, policy, MINUTE, (_, _, _, _, _) -> fail()))
        .isEqualTo(result);
  }

  @Test
  void refusesPoolsThatDoNotFitTheNodes() {
    var trace =
        new WorkloadTrace(
            "pools",
            Duration.ofHours(4),
            List.of(
                new TracedNode("node-1", "H100", 2),
                new TracedNode("node-2", "T4", 2),
                new TracedNode("node-3", "T4", 4)),
            List.of(),
            List.of());

    assertThatThrownBy(() -> trace.autoscaled(autoscaling(0, 0)))
        .hasMessage(
            "--autoscale must allow the 1 nodes of the model H100 that there are, was at most 0");
    assertThatThrownBy(
            () ->
                trace.autoscaled(new Autoscaling(Map.of("T4", new PoolSize(0, 9)), MINUTE, MINUTE)))
        .hasMessage(
            "--autoscale needs nodes of the model T4 that all have as many GPUs, as much CPU and"
                + " memory; they differ");
    assertThatThrownBy(
            () ->
                trace.autoscaled(
                    new Autoscaling(Map.of("B200", new PoolSize(0, 9)), MINUTE, MINUTE)))
        .hasMessageEndingWith("; there are none");
  }

  private static Autoscaling autoscaling(int least, int most) {
    return new Autoscaling(
        Map.of("H100", new PoolSize(least, most)), Duration.ofMinutes(5), Duration.ofMinutes(10));
  }

  private static TracedWorkload inTwoPods(TracedWorkload each) {
    return each.kind() != WorkloadKind.TRAINING || each.gpus() == 1
        ? each
        : new TracedWorkload(
            each.namespace(),
            each.name(),
            each.kind(),
            each.arrival(),
            each.lifetime(),
            List.of(each.gpus() / 2, each.gpus() / 2),
            each.usedGpus(),
            each.models(),
            each.priority(),
            each.checkpointEvery(),
            each.activity(),
            each.unknown(),
            each.requests());
  }

  private static TracedWorkload group(
      String name, int arrival, int priority, int used, Integer... podGpus) {
    return new TracedWorkload(
        "ml",
        name,
        WorkloadKind.TRAINING,
        arrival,
        2 * HOUR,
        List.of(podGpus),
        used,
        Set.of(),
        priority,
        2_400,
        new ActivityPeriods.PeriodsBuilder().add(0, 2 * HOUR, 1).build(),
        ActivityPeriods.NONE,
        ComputeResources.NONE);
  }

  private static TracedWorkload training(String name, int arrival, int priority, int gpus) {
    return new TracedWorkload(
        "ml",
        name,
        WorkloadKind.TRAINING,
        arrival,
        2 * HOUR,
        gpus,
        gpus,
        Set.of(),
        priority,
        2_400,
        new ActivityPeriods.PeriodsBuilder().add(0, 2 * HOUR, 1).build());
  }

  /**
   * Half of the pods request one GPU, half four. On the node of two GPUs, half of the pods do not
   * fit; on the one of four, none, until one GPU is taken.
   */
  @Test
  void freeGpusAreFragmented_forPodsThatDoNotFit() {
    var free =
        new FragmentedGpus(
            List.of(new TracedNode("node-1", "H100", 2), new TracedNode("node-2", "H100", 4)),
            List.of(training("small", 0, 0, 1), training("large", 0, 0, 4)));

    assertThat(free.free()).isEqualTo(6);
    assertThat(free.fragmented()).isEqualTo(1);

    free.add("node-2", -1);
    assertThat(free.free()).isEqualTo(5);
    assertThat(free.fragmented()).isEqualTo(2.5);
  }

  private static void requireSingleHolders(SimulatedCluster cluster) {
    List<GpuHolder> holders = cluster.holders();
    assertThat(holders.stream().map(GpuHolder::device).distinct().count())
        .isEqualTo(holders.size());
    assertThat(holders.stream().map(GpuHolder::pod).distinct().count())
        .isEqualTo(holders.stream().map(each -> each.pod() + " " + each.node()).distinct().count());
  }

  private static SimulationResult play(ComparedPolicy policy) {
    return Simulation.run(TINY, 1, policy, MINUTE, (_, _, _, _, _) -> fail());
  }

  private static Simulation.ReclaimerProgram fail() {
    throw new AssertionError("this policy needs no program");
  }

  private static TracedWorkload workload(
      WorkloadKind kind, int arrival, int lifetime, ActivityPeriods activity) {
    return new TracedWorkload(
        kind.code(), kind.code(), kind, arrival, lifetime, 1, 1, Set.of(), 0, 1_800, activity);
  }
}
