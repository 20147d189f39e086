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
import io.gpureclaimer.reclaimer.plan.Defragmentation.Total;
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
  private static final String GPU = "nvidia.com/gpu";
  private static final String SMALL = "nvidia.com/mig-1g.10gb";
  private static final String LARGE = "nvidia.com/mig-3g.40gb";
  private static final Map<String, String> A100 = labels("A100");
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
    assertThat(found.gpus().free()).isEqualTo(8);
    assertThat(before(found)).isCloseTo(fragmented(), within(1e-9));
    assertThat(after(found)).isCloseTo(0, within(1e-9));
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
    assertThat(after(found)).isEqualTo(before(found));
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

    assertThat(found.gpus().free()).isEqualTo(7 + 6 + 1);
    assertThat(names(only(found))).containsExactly("one to [c]");
  }

  @Test
  void movesMigDevices_besideWholeGpus() {
    for (String name : List.of("a", "b")) {
      nodes.add(divided(name, Map.of(GPU, 1, SMALL, 2)));
      holds(pod("slice-" + name).slices("1g.10gb", 1).on(name), IDLE);
    }
    holds(pod("gpu").gpus(1).on("a"), ACTIVE);
    pods.add(pod("both").slices("1g.10gb", 2).waiting(NOW).draw());

    Defragmentation found = found();

    Proposal proposal = only(found);
    assertThat(names(proposal)).containsExactly("slice-a to [b]");
    assertThat(proposal.kind()).isEqualTo(SMALL);
    assertThat(proposal.wholeNode()).isFalse();
    assertThat(proposal.fits()).isEqualTo(new TreeMap<>(Map.of(2, 1)));
    assertThat(proposal.fragmented().keySet()).containsExactly(SMALL);
    // Of three pods, one fits on no node.
    assertThat(found.totals())
        .isEqualTo(Map.of(GPU, new Total(1, 0, 0), SMALL, new Total(2, 2 / 3.0, 0)));
  }

  /** MIG strategy {@code single}: the node with devices of the profile's name does not suit. */
  @Test
  void movesMigDevicesThatAreNamedGpus_toNodesWithDevicesOfThisName() {
    nodes.addAll(List.of(single("s", "1g.10gb"), single("t", "1g.10gb"), single("u", "2g.20gb")));
    nodes.add(divided("m", Map.of(SMALL, 7)));
    nodes.add(new NodeView("w", 8, A100, List.of(), true));
    nodes.add(new NodeView("shared", 7, labels("A100-MIG-1g.10gb-SHARED"), List.of(), true));
    holds(pod("one").gpus(1).onDividedGpus("1g.10gb").on("s"), IDLE);
    holds(pod("rest").gpus(4).onDividedGpus("1g.10gb").on("t"), ACTIVE);
    holds(pod("profile").namespace("web").slices("1g.10gb", 3).on("m"), ACTIVE);
    pods.add(
        pod("large")
            .gpus(7)
            .waiting(NOW)
            .placement(new Placement(labels("A100-MIG-1g.10gb"), List.of(), false))
            .draw());

    Proposal proposal = only(found());

    assertThat(names(proposal)).containsExactly("one to [t]");
    assertThat(proposal.pool()).isEqualTo("A100");
    assertThat(proposal.kind()).isEqualTo(SMALL);
    assertThat(proposal.wholeNode()).isTrue();
    assertThat(proposal.fits()).isEqualTo(new TreeMap<>(Map.of(7, 1)));
  }

  @Test
  void leavesPodsWhereTheyAre_thatHoldSeveralKindsOfDevices_orReplicas() {
    for (String name : List.of("a", "b")) {
      nodes.add(divided(name, Map.of(GPU, 4, SMALL, 4, "nvidia.com/gpu.shared", 4)));
    }
    holds(pod("two").slices("1g.10gb", 1).gpus(1).on("a"), IDLE, IDLE);
    holds(pod("replica").replica("nvidia.com/gpu.shared").on("a"), IDLE);
    holds(pod("rest").namespace("web").gpus(1).on("b"), ACTIVE);
    holds(pod("parts").namespace("web").slices("1g.10gb", 1).on("b"), ACTIVE);
    waits(4);
    pods.add(pod("four").slices("1g.10gb", 4).waiting(NOW).draw());

    assertThat(found().proposals()).isEmpty();
  }

  /** They share CPU: where MIG devices take it, the GPU of the node is of no use. */
  @Test
  void countsWhatAMoveTakesFromOtherDevicesOfTheNode() {
    nodes.add(divided("a", Map.of(SMALL, 2)));
    nodes.add(divided("b", Map.of(SMALL, 2, GPU, 2), 8));
    holds(pod("one").slices("1g.10gb", 1).requests(Map.of("cpu", 4L)).on("a"), IDLE);
    holds(
        pod("rest").namespace("web").slices("1g.10gb", 1).requests(Map.of("cpu", 1L)).on("b"),
        ACTIVE);
    pods.add(pod("both").slices("1g.10gb", 2).waiting(NOW).draw());
    PodView small = pod("gpu").gpus(1).requests(Map.of("cpu", 3L)).waiting(NOW).draw();
    pods.add(small);

    assertThat(names(only(found()))).containsExactly("one to [b]");

    pods.remove(small);
    pods.add(pod("gpu").gpus(1).requests(Map.of("cpu", 4L)).waiting(NOW).draw());
    assertThat(found().proposals()).isEmpty();
  }

  /** A node that was left stays free of pods with other devices. */
  @Test
  void movesNothingToANode_thatWorkloadsWithOtherDevicesLeft() {
    for (String name : List.of("a", "b", "c")) {
      nodes.add(divided(name, Map.of(GPU, 2, SMALL, 2)));
    }
    holds(pod("gpu-a").gpus(1).on("a"), IDLE);
    holds(pod("gpu-b").namespace("web").gpus(1).on("b"), ACTIVE);
    holds(pod("slice-a").namespace("web").slices("1g.10gb", 1).on("a"), ACTIVE);
    holds(pod("slice-c").slices("1g.10gb", 1).on("c"), IDLE);
    waits(2);
    pods.add(pod("both").slices("1g.10gb", 2).waiting(NOW).draw());

    assertThat(names(only(found()))).containsExactly("gpu-a to [b]");
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

  @Test
  void boundsTheSearchOfAllPoolsTogether() {
    nodes.addAll(List.of(node("a", 2), node("b", 2)));
    nodes.addAll(List.of(divided("c", Map.of(SMALL, 2)), divided("d", Map.of(SMALL, 2))));
    holds(pod("one").gpus(1).on("a"), IDLE);
    holds(pod("two").gpus(1).on("b"), ACTIVE);
    holds(pod("three").slices("1g.10gb", 1).on("c"), IDLE);
    holds(pod("four").slices("1g.10gb", 1).on("d"), ACTIVE);
    waits(2);
    pods.add(pod("both").slices("1g.10gb", 2).waiting(NOW).draw());

    assertThat(found(100).proposals()).extracting(Proposal::kind).containsExactly(GPU, SMALL);
    Defragmentation bounded = found(4);
    assertThat(bounded.proposals()).extracting(Proposal::kind).containsExactly(GPU);
    assertThat(bounded.isComplete()).isFalse();
  }

  /** Nodes of both MIG strategies, with whole GPUs and two profiles, and with CPU for some pods. */
  @Test
  void holdsWhatItPromises_inRandomClustersWithMigDevices() {
    int improved = 0;
    for (long seed = 0; seed < 200; seed++) {
      drawMig(seed);
      String name = "seed " + seed;
      Defragmentation found = found();
      assertThat(before(found)).as(name).isCloseTo(fragmented(), within(1e-6));
      Set<String> nodesLeft = new HashSet<>();
      Map<String, String> moved = new HashMap<>();
      for (Proposal proposal : found.proposals()) {
        nodesLeft.add(proposal.node());
        for (Move move : proposal.moves()) {
          assertThat(nodesLeft).as(name).doesNotContainAnyElementsOf(move.to());
          moved.put(move.workload().name(), move.to().getFirst());
        }
      }
      pods.replaceAll(
          pod ->
              Optional.ofNullable(moved.get(pod.ref().name()))
                  .map(to -> copy(pod, to))
                  .orElse(pod));
      for (NodeView node : nodes) {
        List<PodView> here =
            pods.stream().filter(each -> each.node().equals(Optional.of(node.name()))).toList();
        node.devices()
            .forEach(
                (resource, count) ->
                    assertThat(
                            here.stream()
                                .mapToInt(each -> each.accelerators().count(resource))
                                .sum())
                        .as(name)
                        .isLessThanOrEqualTo(count));
        assertThat(here.stream().mapToLong(each -> each.requests().getOrDefault("cpu", 0L)).sum())
            .as(name)
            .isLessThanOrEqualTo(node.allocatable().getOrDefault("cpu", 0L));
        assertThat(here)
            .as(name)
            .allMatch(
                each ->
                    node.devices().keySet().containsAll(each.accelerators().byResource().keySet()));
      }
      assertThat(after(found)).as(name).isCloseTo(fragmented(), within(1e-6));
      improved += after(found) < before(found) - 1e-6 ? 1 : 0;
    }
    assertThat(improved).isGreaterThan(60);
  }

  private void drawMig(long seed) {
    nodes.clear();
    pods.clear();
    activity.clear();
    var random = new Random(seed);
    for (int i = 0; i < 9; i++) {
      String name = "node-" + i;
      boolean isSingle = i % 3 == 0;
      nodes.add(
          isSingle
              ? single(name, "1g.10gb")
              : divided(name, i % 3 == 1 ? Map.of(GPU, 2, SMALL, 4) : Map.of(SMALL, 4, LARGE, 2)));
      for (String resource : nodes.getLast().devices().keySet()) {
        int free = nodes.getLast().devices().get(resource);
        for (int part = 0; part < 3 && free > 0; part++) {
          int count = Math.min(free, 1 + random.nextInt(2));
          free -= count;
          PodDraft draft =
              resource.equals(GPU)
                  ? pod(name + "-g-" + part).gpus(count)
                  : pod(name + "-" + resource.charAt(15) + "-" + part)
                      .slices(resource.substring(15), count);
          if (random.nextBoolean()) {
            String[] idleFor = new String[count];
            Arrays.fill(idleFor, random.nextInt(3) == 0 ? ACTIVE : IDLE);
            holds(
                (isSingle ? draft.onDividedGpus("1g.10gb") : draft)
                    .requests(Map.of("cpu", 1L + random.nextInt(4)))
                    .on(name),
                idleFor);
          }
        }
      }
    }
    pods.add(pod("large").slices("1g.10gb", 4).waiting(NOW).draw());
    pods.add(pod("largest").gpus(7).waiting(NOW).draw());
    pods.add(pod("other").slices("3g.40gb", 2).waiting(NOW).draw());
    pods.add(pod("gpus").gpus(2).requests(Map.of("cpu", 12L)).waiting(NOW).draw());
  }

  private static PodView copy(PodView pod, String node) {
    return pod(pod.ref().name())
        .accelerators(pod.accelerators())
        .requests(pod.requests())
        .on(node)
        .draw();
  }

  /** What is proposed is possible, and leaves as little fragmented as it says. */
  @Test
  void holdsWhatItPromises_inRandomClusters() {
    int improved = 0;
    for (long seed = 0; seed < 300; seed++) {
      draw(seed);
      Defragmentation found = found();
      assertThat(before(found)).as("seed %d", seed).isCloseTo(fragmented(), within(1e-6));
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
      assertThat(after(found)).as("seed %d", seed).isCloseTo(fragmented(), within(1e-6));
      improved += after(found) < before(found) - 1e-6 ? 1 : 0;
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
    String[] each = new String[pod.accelerators().devices()];
    Arrays.fill(each, idleFor);
    holds(draft, each);
  }

  /** The times of each device. */
  private void holds(PodDraft draft, String... idleFor) {
    PodView pod = draft.draw();
    pods.add(pod);
    activity.put(pod.ref().uid(), idle(pod, idleFor));
  }

  /** With devices by their names. */
  private static NodeView divided(String name, Map<String, Integer> devices) {
    return divided(name, devices, 24);
  }

  private static NodeView divided(String name, Map<String, Integer> devices, long cpu) {
    return new NodeView(name, devices, Map.of("cpu", cpu), A100, List.of(), true, false);
  }

  /** With seven MIG devices that are named GPUs. */
  private static NodeView single(String name, String profile) {
    return new NodeView(
        name,
        Map.of(GPU, 7),
        Map.of("cpu", 24L),
        labels("A100-MIG-" + profile),
        List.of(),
        true,
        false);
  }

  private static Map<String, String> labels(String product) {
    return Map.of("nvidia.com/gpu.product", product);
  }

  /** Of all kinds of devices. */
  private static double before(Defragmentation found) {
    return found.totals().values().stream().mapToDouble(Total::before).sum();
  }

  private static double after(Defragmentation found) {
    return found.totals().values().stream().mapToDouble(Total::after).sum();
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
