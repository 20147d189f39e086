package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Move;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Proposal;
import io.gpureclaimer.reclaimer.plan.Fragmentation.Pool;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves that lower fragmentation, of pods that the real judge has judged. */
class DefragmentationTest {
  private static final NamespaceView NAMESPACE =
      namespace("ml", "mode", "on-demand", "idle-after", "1h", "warn-before", "10s");
  private static final NamespaceView REPORTED = namespace("web", "mode", "report");
  private static final String IDLE = "3h";
  private static final String ACTIVE = "10s";
  private static final Map<String, Long> NOTHING = Map.of("cpu", 0L, "memory", 0L);

  /** A node that reports nothing in addition to its devices. */
  private static final String UNKNOWN = "node-0";

  private final List<NodeView> nodes = new ArrayList<>();
  private final List<PodView> pods = new ArrayList<>();
  private final Map<String, PodActivity> activity = new HashMap<>();
  private final Map<String, Map<String, Long>> requestedByOthers = new HashMap<>();

  @Test
  void emptiesANode_soThatALargerPodFits() {
    nodes.addAll(List.of(node("a", 8), node("b", 8)));
    holds(pod("one").gpus(1).on("a"), IDLE);
    holds(pod("two").gpus(1).on("a"), IDLE);
    holds(pod("rest").gpus(6).on("b"), ACTIVE);
    waits(8);

    Defragmentation found = found();

    Proposal proposal = only(found);
    assertThat(names(proposal)).containsExactly("one to [b]", "two to [b]");
    assertThat(proposal.node()).isEqualTo("a");
    assertThat(proposal.wholeNode()).isTrue();
    assertThat(proposal.fits()).isEqualTo(new TreeMap<>(Map.of(8, 1)));
    assertThat(found.free()).isEqualTo(8);
    assertThat(found.before()).isCloseTo(fragmented(), within(1e-9));
    assertThat(found.after()).isCloseTo(0, within(1e-9));
    assertThat(found.isComplete()).isTrue();
  }

  @Test
  void proposesNothing_whereNoMoveHelps() {
    nodes.addAll(List.of(node("a", 8), node("b", 8)));
    holds(pod("one").gpus(5).on("a"), IDLE);
    holds(pod("two").gpus(5).on("b"), IDLE);
    waits(8);

    Defragmentation found = found();

    assertThat(found.proposals()).isEmpty();
    assertThat(found.after()).isEqualTo(found.before());
  }

  @Test
  void movesIdleWorkloadsBeforeActiveOnes() {
    nodes.addAll(List.of(node("a", 4), node("b", 4), node("c", 4)));
    holds(pod("active").gpus(1).on("a"), ACTIVE);
    holds(pod("idle").gpus(1).on("b"), IDLE);
    holds(pod("rest").gpus(2).on("c"), ACTIVE);
    waits(4);

    assertThat(found().proposals().stream().flatMap(each -> each.moves().stream()))
        .extracting(Move::isIdle)
        .containsExactly(true, false);
  }

  @Test
  void movesOnlyWhatItsPolicyPermits_andWhoseActivityIsKnown() {
    nodes.addAll(List.of(node("a", 4), node("b", 4), node("c", 4), node("d", 4), node("e", 4)));
    holds(pod("reported").namespace("web").gpus(1).on("a"), IDLE);
    holds(pod("excluded").gpus(1).on("b").with("exclude", "true"), IDLE);
    holds(pod("bound").gpus(1).on("c").placement(new Placement(Map.of(), List.of(), true)), IDLE);
    pods.add(pod("unseen").gpus(1).on("d").draw());
    holds(pod("rest").gpus(2).on("e"), ACTIVE);
    waits(4);

    assertThat(found().proposals().stream().flatMap(each -> each.moves().stream()))
        .extracting(move -> move.workload().name())
        .containsExactly("rest");
  }

  @Test
  void staysOnNodesThatSuitThePod_andInItsPool() {
    nodes.add(node("a", 8));
    nodes.add(new NodeView("tainted", 8, Map.of(), List.of(taint()), true));
    nodes.add(new NodeView("cordoned", 8, Map.of(), List.of(), false));
    nodes.add(new NodeView("other", 8, Map.of("nvidia.com/gpu.product", "H100"), List.of(), true));
    holds(pod("one").gpus(1).on("a"), IDLE);
    for (String full : List.of("tainted", "cordoned", "other")) {
      holds(pod(full).namespace("web").gpus(7).on(full), ACTIVE);
    }
    waits(8);

    assertThat(found().proposals()).isEmpty();
  }

  /** The other node has enough GPUs for it. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"cpu", "memory", "pods"})
  void staysWhereItIs_ifTheOtherNodeHasTooLittleOfAnotherResource(String resource) {
    nodes.addAll(List.of(node("a", 8, Map.of(resource, 9L)), node("b", 8, Map.of(resource, 9L))));
    holds(pod("one").gpus(1).requests(Map.of(resource, 3L)).on("a"), IDLE);
    holds(pod("rest").namespace("web").gpus(6).requests(Map.of(resource, 4L)).on("b"), ACTIVE);
    waits(8);

    requestedByOthers.put("b", Map.of(resource, 2L));
    assertThat(names(only(found()))).containsExactly("one to [b]");
    requestedByOthers.put("b", Map.of(resource, 3L));
    assertThat(found().proposals()).isEmpty();
  }

  /** Enough GPUs are free on both nodes. */
  @Test
  void movesAPod_becauseOfTheCpuThatItLeaves() {
    nodes.addAll(List.of(node("a", 8, Map.of("cpu", 16L)), node("b", 8, Map.of("cpu", 16L))));
    holds(pod("one").gpus(1).requests(Map.of("cpu", 14L)).on("a"), IDLE);
    holds(pod("rest").gpus(7).requests(Map.of("cpu", 1L)).on("b"), ACTIVE);
    for (String name : List.of("v", "w")) {
      pods.add(pod(name).gpus(2).requests(Map.of("cpu", 5L)).waiting(NOW).draw());
    }

    Proposal proposal = only(found());

    assertThat(names(proposal)).containsExactly("one to [b]");
    assertThat(proposal.fits()).isEqualTo(new TreeMap<>(Map.of(2, 3)));
  }

  /** As {@code plan}, which sees no room there either. */
  @Test
  void movesNothingToANodeThatReportsNoOtherResource() {
    nodes.addAll(List.of(node("a", 8, Map.of("cpu", 9L)), node("b", 8)));
    holds(pod("one").gpus(1).requests(Map.of("cpu", 3L)).on("a"), IDLE);
    holds(pod("rest").namespace("web").gpus(6).on("b"), ACTIVE);
    pods.add(pod("small").gpus(1).waiting(NOW).draw());
    waits(8);

    assertThat(found().proposals()).isEmpty();
  }

  @Test
  void movesNothingToGpusThatClaimsHold() {
    nodes.addAll(List.of(node("a", 8), node("b", 8), node("c", 8)));
    holds(pod("one").gpus(1).on("a"), IDLE);
    holds(pod("two").gpus(2).on("b"), IDLE);
    pods.add(pod("claiming").claims("gpu.nvidia.com", 7).on("c").draw());
    waits(8);

    Defragmentation found = found();

    assertThat(found.free()).isEqualTo(7 + 6 + 1);
    assertThat(names(only(found))).containsExactly("one to [c]");
  }

  /** Moves are of whole GPUs alone. */
  @Test
  void leavesPodsWithMigDevicesWhereTheyAre() {
    for (String name : List.of("a", "b")) {
      Map<String, Integer> devices = Map.of("nvidia.com/gpu", 1, "nvidia.com/mig-1g.10gb", 2);
      nodes.add(new NodeView(name, devices, Map.of(), List.of(), true));
      pods.add(pod("slice-" + name).slices("1g.10gb", 1).on(name).draw());
      activity.put(pods.getLast().ref().uid(), idle(pods.getLast(), IDLE));
    }
    pods.add(pod("both").slices("1g.10gb", 2).waiting(NOW).draw());

    Defragmentation found = found();

    assertThat(found.proposals()).isEmpty();
    assertThat(found.free()).isEqualTo(2);
  }

  @Test
  void saysThatTheSearchWasBounded() {
    nodes.addAll(List.of(node("a", 8), node("b", 8)));
    holds(pod("one").gpus(1).on("a"), IDLE);
    holds(pod("rest").gpus(6).on("b"), ACTIVE);
    waits(8);

    assertThat(found(1).isComplete()).isFalse();
    assertThat(found(100).isComplete()).isTrue();
    assertThat(found(100).proposals()).hasSize(1);
  }

  /** What is proposed is possible, and leaves as little fragmented as it says. */
  @Test
  void holdsWhatItPromises_inRandomClusters() {
    int improved = 0;
    for (long seed = 0; seed < 300; seed++) {
      draw(seed);
      Defragmentation found = found();
      assertThat(found.before()).as("seed %d", seed).isCloseTo(fragmented(), within(1e-6));
      Map<String, Integer> left = new HashMap<>();
      Map<String, FreeResources> others = new HashMap<>();
      nodes.forEach(each -> left.put(each.name(), each.gpus()));
      nodes.forEach(each -> others.put(each.name(), new FreeResources(each.allocatable())));
      List<PodView> after = new ArrayList<>();
      Map<String, String> moved = new HashMap<>();
      Set<String> nodesLeft = new HashSet<>();
      for (Proposal proposal : found.proposals()) {
        nodesLeft.add(proposal.node());
        for (Move move : proposal.moves()) {
          assertThat(nodesLeft).as("seed %d", seed).doesNotContainAnyElementsOf(move.to());
          moved.put(move.workload().name(), move.to().getFirst());
        }
      }
      for (PodView pod : pods) {
        String on = moved.getOrDefault(pod.ref().name(), pod.node().orElse(""));
        PodDraft draft = pod(pod.ref().name()).gpus(pod.gpus()).requests(pod.requests());
        after.add(on.isEmpty() ? pod : draft.on(on).draw());
        left.computeIfPresent(on, (_, free) -> free - pod.gpus());
        others.computeIfPresent(on, (_, free) -> free.less(pod.requests()));
      }
      others.remove(UNKNOWN);
      assertThat(left.values()).as("seed %d", seed).allMatch(free -> free >= 0);
      assertThat(others.values()).as("seed %d", seed).allMatch(free -> free.cover(NOTHING));
      pods.clear();
      pods.addAll(after);
      assertThat(found.after()).as("seed %d", seed).isCloseTo(fragmented(), within(1e-6));
      improved += found.after() < found.before() - 1e-6 ? 1 : 0;
    }
    assertThat(improved).isGreaterThan(100);
  }

  private void draw(long seed) {
    nodes.clear();
    pods.clear();
    activity.clear();
    var random = new Random(seed);
    for (int i = 0; i < 6; i++) {
      nodes.add(node("node-" + i, 8, i == 0 ? Map.of() : Map.of("cpu", 32L, "memory", 32L)));
      int free = 8;
      for (int part = 0; part < 4 && free > 0; part++) {
        int gpus = Math.min(free, 1 << random.nextInt(3));
        free -= gpus;
        if (random.nextBoolean()) {
          holds(
              pod("p-" + i + "-" + part).gpus(gpus).requests(requests(random)).on("node-" + i),
              random.nextInt(3) == 0 ? ACTIVE : IDLE);
        }
      }
    }
    waits(8);
  }

  /** Four of them fit on a node. */
  private static Map<String, Long> requests(Random random) {
    return Map.of("cpu", 1L + random.nextInt(8), "memory", 1L + random.nextInt(8));
  }

  private static NodeView.Taint taint() {
    return new NodeView.Taint("team", "other", "NoSchedule");
  }

  private void holds(PodDraft draft, String idleFor) {
    PodView pod = draft.draw();
    pods.add(pod);
    String[] each = new String[pod.gpus()];
    Arrays.fill(each, idleFor);
    activity.put(pod.ref().uid(), idle(pod, each));
  }

  private void waits(int gpus) {
    pods.add(pod("large").gpus(gpus).waiting(NOW).draw());
  }

  private Defragmentation found() {
    return found(Defragmentation.MOST_PLACEMENTS);
  }

  private Defragmentation found(int most) {
    ClusterView cluster = cluster();
    List<Judgment> judgments =
        new Judge(JudgeScenario.DEFAULTS, JudgeScenario.LIMITS)
            .judge(cluster, new Observation.Seen(NOW, Map.copyOf(activity), List.of()), NOW);
    return Defragmentation.of(cluster, judgments, most);
  }

  private ClusterView cluster() {
    var neighbors = Neighbors.of(List.of(), List.of(), requestedByOthers);
    return new ClusterView(
        pods,
        Map.of("ml", NAMESPACE, "web", REPORTED),
        nodes,
        Map.of(),
        Optional.empty(),
        SchedulingFacts.NONE.with(neighbors));
  }

  private double fragmented() {
    return Fragmentation.of(cluster()).pools().stream()
        .filter(pool -> !pool.pods().isEmpty())
        .mapToDouble(Pool::fragmented)
        .sum();
  }

  private static Proposal only(Defragmentation found) {
    assertThat(found.proposals()).hasSize(1);
    return found.proposals().getFirst();
  }

  private static List<String> names(Proposal proposal) {
    return proposal.moves().stream()
        .map(move -> move.workload().name() + " to " + move.to())
        .toList();
  }
}
