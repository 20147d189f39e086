package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Planner.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;

/** Random clusters of three nodes; the plan is compared with trying every set of victims. */
class PlannerPropertyTest {
  private static final int BUDGET = 3;
  private static final Planner PLANNER = new Planner(new PlanLimits(BUDGET, Duration.ZERO));
  private static final List<NodeView> NODES =
      List.of(node("node-0", 4), node("node-1", 3), node("node-2", 2));

  /** A pod that may be drawn as due or as waiting. */
  record Sketch(int node, int gpus, int priority, long idleMinutes, boolean always) {}

  @Property(tries = 1000)
  void evictsNoPodOnDemand_whenNoPodIsPending(
      @ForAll("sketches") @Size(max = 8) List<Sketch> sketches) {
    List<Due> due = due(sketches);

    assertThat(evictions(due, List.of()))
        .allMatch(evict -> evict.verdict().mode() == Mode.ALWAYS && evict.demand().isEmpty());
  }

  @Property(tries = 1000)
  void neverEvictsMoreThanAllowed_norTwice_norForALowerPriority(
      @ForAll("sketches") @Size(max = 8) List<Sketch> sketches,
      @ForAll("sketches") @Size(max = 4) List<Sketch> waiting) {
    List<Act> evictions = evictions(due(sketches), waiting(waiting));

    assertThat(evictions).hasSizeLessThanOrEqualTo(BUDGET);
    assertThat(evictions)
        .extracting(evict -> evict.workload().firstPod().ref())
        .doesNotHaveDuplicates();
    assertThat(evictions)
        .allMatch(
            evict ->
                evict
                    .demand()
                    .map(demand -> evict.workload().firstPod().priority() <= demand.priority())
                    .orElse(evict.verdict().mode() == Mode.ALWAYS));
  }

  @Property(tries = 1000)
  void doesNotDependOnTheOrderOfTheVerdicts(
      @ForAll("sketches") @Size(max = 8) List<Sketch> sketches,
      @ForAll("sketches") @Size(max = 4) List<Sketch> waiting) {
    List<Due> due = due(sketches);

    assertThat(evictions(due.reversed(), waiting(waiting)))
        .isEqualTo(evictions(due, waiting(waiting)));
  }

  @Property(tries = 2000)
  void losesAsLittleAsPossibleForOneWaitingPod(
      @ForAll("onDemand") @Size(min = 3, max = 9) List<Sketch> sketches,
      @ForAll @IntRange(min = 1, max = 5) int gpus) {
    List<Due> due = due(sketches);
    PodView waiting = pod("waiting").gpus(gpus).priority(1).waiting(ago("5m")).draw();
    OptionalLong least = leastLoss(due, gpus);

    List<Act> evictions = evictions(due, List.of(waiting));
    Statistics.label("victims")
        .collect(evictions.size())
        .coverage(cover -> cover.check(2).percentage(share -> share > 1));
    assertThat(ExpectedLoss.ofAll(evictions.stream().map(Act::verdict).toList()))
        .isEqualTo(least.orElse(0));
    assertThat(evictions).hasSizeLessThanOrEqualTo(BUDGET);
    assertThat(evictions)
        .extracting(evict -> evict.workload().firstPod().node())
        .matches(PlannerPropertyTest::areSame);
  }

  /** Served pods stay pending, and the cluster is planned again and again. */
  @Property(tries = 500)
  void neverEvictsAgainForAPodThatWasServed(
      @ForAll("onDemand") @Size(min = 3, max = 9) List<Sketch> sketches,
      @ForAll("onDemand") @Size(min = 1, max = 4) List<Sketch> waiting) {
    List<Due> left = new ArrayList<>(due(sketches));
    List<PodView> pods = new ArrayList<>(waiting(waiting));
    PlanHistory memory = PlanHistory.none(NOW);
    var served = new HashSet<PodRef>();
    for (int cycle = 0; cycle < 8; cycle++) {
      Instant now = NOW.plusSeconds(60L * cycle);
      List<PodView> all =
          Stream.concat(left.stream().map(each -> each.workload().firstPod()), pods.stream())
              .toList();
      var cluster = new ClusterView(all, Map.of(), NODES, Map.of());
      memory = memory.followUps(cluster, PLANNER.limits(), now).history();
      var situation =
          new PlanInput(
              List.copyOf(left),
              cluster,
              Map.of(),
              CircuitBreaker.BreakerStatus.CLOSED,
              memory,
              now);
      var servedNow = new HashSet<PodRef>();
      for (PlanEntry entry : PLANNER.plan(situation).entries()) {
        if (entry.step() instanceof Act evict) {
          PodRef demand = evict.demand().orElseThrow().pod();
          assertThat(served).doesNotContain(demand);
          servedNow.add(demand);
          left.remove(evict.verdict());
          pods.add(terminating(evict.workload().firstPod()));
          memory = memory.after(evict, situation, PLANNER.limits(), now);
        }
      }
      served.addAll(servedNow);
    }
    Statistics.label("served").collect(Math.min(served.size(), 2));
  }

  private static PodView terminating(PodView pod) {
    return pod(pod.ref().name())
        .on(pod.node().orElseThrow())
        .gpus(pod.gpus())
        .priority(pod.priority())
        .terminating()
        .draw();
  }

  private static boolean areSame(List<? extends Optional<String>> nodes) {
    return nodes.stream().distinct().count() <= 1;
  }

  /** What is lost at least within the budget, found by trying every set. */
  private static OptionalLong leastLoss(List<Due> due, int gpus) {
    return NODES.stream()
        .flatMapToInt(
            node -> IntStream.range(0, 1 << due.size()).filter(set -> frees(set, due, node, gpus)))
        .filter(set -> Integer.bitCount(set) <= BUDGET)
        .mapToLong(
            set ->
                IntStream.range(0, due.size())
                    .filter(index -> (set >> index & 1) == 1)
                    .mapToLong(index -> ExpectedLoss.of(due.get(index)))
                    .sum())
        .min();
  }

  private static boolean frees(int set, List<Due> due, NodeView node, int gpus) {
    int held = 0;
    for (int index = 0; index < due.size(); index++) {
      PodView pod = due.get(index).workload().firstPod();
      boolean here = pod.node().equals(Optional.of(node.name()));
      boolean chosen = (set >> index & 1) == 1;
      if (chosen && (!here || pod.priority() > 1)) {
        return false;
      }
      held += here && !chosen ? pod.gpus() : 0;
    }
    return node.gpus() - held >= gpus;
  }

  private static List<Act> evictions(List<Due> due, List<PodView> waiting) {
    List<PodView> pods =
        Stream.concat(due.stream().map(each -> each.workload().firstPod()), waiting.stream())
            .toList();
    var cluster = new ClusterView(pods, Map.of(), NODES, Map.of());
    return PLANNER.plan(List.copyOf(due), cluster, NOW).entries().stream()
        .map(PlanEntry::step)
        .filter(Act.class::isInstance)
        .map(Act.class::cast)
        .toList();
  }

  private static List<Due> due(List<Sketch> sketches) {
    return IntStream.range(0, sketches.size())
        .mapToObj(index -> due("due-" + index, sketches.get(index)))
        .toList();
  }

  private static Due due(String name, Sketch sketch) {
    PodView pod =
        pod(name)
            .on("node-" + sketch.node())
            .gpus(sketch.gpus())
            .priority(sketch.priority())
            .startup(Duration.ofSeconds(sketch.idleMinutes() * 13 % 4_000))
            .draw();
    Duration idleFor = Duration.ofMinutes(sketch.idleMinutes());
    return new Due(
        new Workload("ml", Optional.empty(), List.of(pod)),
        NOW.minus(idleFor),
        idleFor,
        ago("30m"),
        sketch.always() ? Mode.ALWAYS : Mode.ON_DEMAND,
        new EvictPod());
  }

  private static List<PodView> waiting(List<Sketch> sketches) {
    return IntStream.range(0, sketches.size())
        .mapToObj(
            index ->
                pod("waiting-" + index)
                    .gpus(sketches.get(index).gpus())
                    .priority(sketches.get(index).priority())
                    .waiting(NOW.minusSeconds(sketches.get(index).idleMinutes()))
                    .draw())
        .toList();
  }

  @Provide
  static Arbitrary<List<Sketch>> sketches() {
    return sketch(Arbitraries.of(true, false)).list();
  }

  @Provide
  static Arbitrary<List<Sketch>> onDemand() {
    return sketch(Arbitraries.just(false)).list();
  }

  private static Arbitrary<Sketch> sketch(Arbitrary<Boolean> always) {
    return Combinators.combine(
            Arbitraries.integers().between(0, 2),
            Arbitraries.of(1, 1, 1, 2, 2, 4),
            Arbitraries.integers().between(0, 2),
            Arbitraries.longs().between(60, 600),
            always)
        .as(Sketch::new);
  }
}
