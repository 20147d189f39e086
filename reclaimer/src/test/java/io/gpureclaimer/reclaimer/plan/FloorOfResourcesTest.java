package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.plan.Step.Beneficiary;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a floor counts beside whole GPUs: CPU and memory for a usual pod, MIG devices and replicas.
 * Each node has 8 GPUs and 64 cores.
 */
class FloorOfResourcesTest {
  private static final String H100 = "NVIDIA-H100-80GB-HBM3";
  private static final String MIG = "nvidia.com/mig-1g.10gb";

  private final List<NodeView> nodes = new ArrayList<>(List.of(node("node-1", H100)));
  private final List<PodView> others = new ArrayList<>();
  private final List<Due> due = new ArrayList<>();
  private final Map<String, Map<String, Long>> requestedByOthers = new HashMap<>();
  private List<String> floors = List.of("4xH100");

  @Test
  void countsNoGpus_whoseNodeHasTooLittleCpuForAUsualPod_andSaysSo() {
    busy("node-1", 4, cpu(16));

    assertThat(floors())
        .containsExactly(
            "0 impossible: 0 of 4 free; 4 not counted, where less is left than a usual pod requests"
                + " (cpu 16); no idle workload may be reclaimed on demand now");
    assertThat(plan().floors().getFirst().free())
        .isEqualTo(Optional.of(new FreeBlocks(0, 4, Set.of("cpu"))));
  }

  @Test
  void countsAsManyAsThereIsRoomFor() {
    busy("node-1", 2, cpu(16));

    assertThat(floors())
        .singleElement()
        .asString()
        .startsWith("2 impossible: 2 of 4 free; 4 not counted, where less");
  }

  /** A floor that looks fulfilled, and is not. */
  @Test
  void namesThoseThatDoNotCount_whereEnoughOthersAreFree() {
    nodes.add(node("node-2", H100));
    busy("node-1", 4, Map.of("cpu", 8_000L, "memory", 100L << 30));
    requestedByOthers.put("node-1", Map.of("cpu", 30_000L));

    assertThat(floors())
        .containsExactly(
            "8 enough-free: 8 free; 4 not counted, where less is left than a usual pod requests"
                + " (cpu 8)");
  }

  @Test
  void reclaimsOnNodesWithRoom_insteadOfCountingGpusWithout() {
    nodes.add(node("node-2", H100));
    busy("node-1", 4, cpu(16));
    due("a", "node-2", pod -> pod.gpus(8).requests(cpu(64)));

    assertThat(acts()).containsExactly("a");
  }

  @Test
  void sparesAWorkload_thatLeavesTooLittleCpu_evenIfItIsIdleForLonger() {
    floors = List.of("1xH100");
    busy("node-1", 7, cpu(8));
    requestedByOthers.put("node-1", cpu(6));
    due("longer", "90h", "node-1", pod -> pod.requests(cpu(2)));

    assertThat(acts()).isEmpty();

    nodes.add(node("node-2", H100));
    busy("node-2", 7, cpu(8));
    due("shorter", "20h", "node-2", pod -> pod.requests(cpu(2)));
    assertThat(acts()).containsExactly("shorter");
  }

  /** As for a pending pod. */
  @Test
  void reclaimsNothingForTheSakeOfCpu_whereEnoughGpusAreFree() {
    busy("node-1", 3, cpu(16));
    due("a", "node-1", pod -> pod.requests(cpu(16)));

    assertThat(acts()).isEmpty();
  }

  @Test
  void countsGpusAlone_whileNoPodWithSoManyIsKnown() {
    floors = List.of("1x8xH100");
    requestedByOthers.put("node-1", cpu(64));

    assertThat(floors()).containsExactly("1 enough-free: 1 free");
  }

  /** Pods of other models have other nodes. */
  @Test
  void knowsTheUsualPodByThoseOfThePool_andByThoseThatMayRunThere() {
    nodes.add(node("node-2", "NVIDIA-L4"));
    busy("node-2", 3, cpu(9));
    requestedByOthers.put("node-1", cpu(60));

    assertThat(floors()).containsExactly("8 enough-free: 8 free");

    others.add(pod("pending").requests(cpu(5)).waiting(ago("10s")).draw());
    assertThat(floors()).singleElement().asString().contains(" (cpu 5)");
  }

  @Test
  void roomForOneFloor_isNoneForTheNext() {
    floors = List.of("1xH100", "1xH100-80GB");
    busy("node-1", 3, cpu(16));

    assertThat(plan().floors())
        .extracting(each -> each.free().orElseThrow().count())
        .containsExactly(1, 0);
  }

  @Test
  void nodesThatMayCount_doNotWithoutRoom() {
    nodes.add(
        new NodeView(
            "plain", Map.of(ResourceNames.GPU, 8), cpu(4), Map.of(), List.of(), true, false));
    due("a", "node-1", pod -> pod.gpus(4).requests(cpu(8)));
    busy("node-1", 4, cpu(8));

    assertThat(acts()).containsExactly("a");
  }

  @Test
  void countsRoomAgain_beforeTheAction() {
    nodes.add(node("node-2", H100));
    floors = List.of("1xH100");
    busy("node-1", 8, cpu(8));
    busy("node-2", 7, cpu(8));
    due("a", "node-2", pod -> pod.requests(cpu(8)));
    Beneficiary.KeepFree reason =
        plan().entries().stream()
            .flatMap(entry -> act(entry).stream())
            .flatMap(act -> act.pending().stream())
            .map(Beneficiary.KeepFree.class::cast)
            .findFirst()
            .orElseThrow();
    others.removeFirst();
    requestedByOthers.put("node-1", cpu(5));

    assertThat(reason.isMet(cluster())).isFalse();

    requestedByOthers.clear();
    assertThat(reason.isMet(cluster())).isTrue();
  }

  @Test
  void keepsMigDevicesOfAProfileFree() {
    floors = List.of("2xH100:mig-1g.10gb");
    nodes.set(0, divided("node-1", H100));
    nodes.add(divided("node-2", "NVIDIA-A100-SXM4-80GB"));
    others.add(pod("busy").slices("1g.10gb", 1).on("node-1").draw());
    due("a", "node-1", pod -> pod.slices("1g.10gb", 1));
    due("larger", "node-1", pod -> pod.slices("3g.40gb", 1));
    due("whole", "node-1", pod -> pod.gpus(1));
    due("elsewhere", "node-2", pod -> pod.slices("1g.10gb", 3));

    assertThat(acts()).containsExactly("a");
    assertThat(floors())
        .containsExactly("1 reclaiming: 1 of 2 free; to be reclaimed for it: 1 workload on node-1");
    assertThat(plan().entries().getFirst().reason())
        .endsWith(": evicted to keep 2 mig-1g.10gb of H100 free (1 free)");
  }

  @Test
  void countsMigDevicesInBlocks_besideWholeGpusOfTheModel() {
    floors = List.of("1xH100", "1x2xH100:mig-1g.10gb");
    nodes.set(0, divided("node-1", H100));
    others.add(pod("busy").slices("1g.10gb", 2).on("node-1").draw());

    assertThat(floors())
        .containsExactly(
            "1 enough-free: 1 free",
            "0 impossible: 0 of 1 free; no idle workload may be reclaimed on demand now");
  }

  @Test
  void knowsTheUsualPodWithMigDevices() {
    floors = List.of("1xH100:mig-1g.10gb");
    nodes.set(0, divided("node-1", H100));
    others.add(pod("busy").slices("1g.10gb", 1).requests(cpu(3)).on("node-1").draw());
    others.add(pod("whole").gpus(1).requests(cpu(59)).on("node-1").draw());

    assertThat(floors())
        .singleElement()
        .asString()
        .contains(
            "0 of 1 free; 2 not counted, where less is left than a usual pod requests (cpu 3)");
  }

  @Test
  void namesTheResourceThatNoNodeHas() {
    floors = List.of("2xH100:mig-1g.10gb");

    assertThat(floors())
        .containsExactly(
            "? no-nodes: no node with nvidia.com/mig-1g.10gb has the model H100 in its label"
                + " nvidia.com/gpu.product");
  }

  @Test
  void keepsReplicasFree() {
    floors = List.of("2xH100:gpu.shared");
    nodes.set(
        0,
        new NodeView(
            "node-1",
            Map.of(ResourceNames.SHARED_GPU, 3),
            cpu(64),
            Map.of(NodeView.PRODUCT, H100, "nvidia.com/gpu.replicas", "3"),
            List.of(),
            true,
            false));
    others.add(pod("busy").replica(ResourceNames.SHARED_GPU).on("node-1").draw());
    due("a", "node-1", pod -> pod.replica(ResourceNames.SHARED_GPU));

    assertThat(acts()).containsExactly("a");
  }

  /** MIG strategy {@code single}. The whole GPUs and the other profile are larger victims. */
  @Test
  void keepsMigDevicesFree_thatAreNamedGpus() {
    floors = List.of("2xH100:mig-1g.10gb");
    nodes.set(0, single("node-1", "1g.10gb", 3));
    nodes.add(single("node-2", "3g.40gb", 2));
    nodes.add(node("node-3", H100));
    others.add(pod("busy").onDividedGpus("1g.10gb").on("node-1").draw());
    due("a", "node-1", pod -> pod.onDividedGpus("1g.10gb"));
    due("larger", "90h", "node-2", pod -> pod.onDividedGpus("3g.40gb"));
    due("whole", "90h", "node-3", pod -> pod.gpus(1));

    assertThat(acts()).containsExactly("a");
    assertThat(floors())
        .containsExactly("1 reclaiming: 1 of 2 free; to be reclaimed for it: 1 workload on node-1");
    assertThat(plan().floors())
        .extracting(
            FloorStatus::nodes,
            each -> each.concerns(due.get(0).workload()),
            each -> each.concerns(due.get(1).workload()),
            each -> each.concerns(due.get(2).workload()))
        .containsExactly(tuple(1, true, false, false));
  }

  /** A floor of GPUs beside them takes none of them. */
  @Test
  void countsMigDevicesByBothNames_andFreesTheCheapest() {
    floors = List.of("8xH100", "5xH100:mig-1g.10gb");
    nodes.set(0, divided("node-1", H100));
    nodes.add(single("node-2", "1g.10gb", 3));
    nodes.add(node("node-3", H100));
    due("profile", "2h", "node-1", pod -> pod.slices("1g.10gb", 2));
    due("gpus", "90h", "node-2", pod -> pod.gpus(2).onDividedGpus("1g.10gb"));

    assertThat(floors())
        .containsExactly(
            "9 enough-free: 9 free",
            "2 reclaiming: 2 of 5 free; to be reclaimed for it: 2 workloads on node-1, node-2");
    floors = List.of("4xH100:mig-1g.10gb");
    assertThat(acts()).containsExactly("gpus");
    floors = List.of("2xH100:mig-1g.10gb");
    assertThat(floors()).containsExactly("2 enough-free: 2 free");
    floors = List.of("1x3xH100:mig-1g.10gb");
    assertThat(acts()).containsExactly("gpus");
  }

  @Test
  void countsMigDevicesByBothNames_beforeTheAction() {
    floors = List.of("4xH100:mig-1g.10gb");
    nodes.set(0, divided("node-1", H100));
    nodes.add(single("node-2", "1g.10gb", 3));
    others.add(pod("busy").slices("1g.10gb", 3).on("node-1").draw());
    due("a", "node-2", pod -> pod.onDividedGpus("1g.10gb"));
    due("b", "node-2", pod -> pod.onDividedGpus("1g.10gb"));
    Beneficiary.KeepFree reason =
        plan().entries().stream()
            .flatMap(entry -> act(entry).stream())
            .flatMap(act -> act.pending().stream())
            .map(Beneficiary.KeepFree.class::cast)
            .findFirst()
            .orElseThrow();

    assertThat(reason.isMet(cluster())).isFalse();
    others.clear();
    assertThat(reason.isMet(cluster())).isTrue();
  }

  @Test
  void knowsTheUsualPod_whoseMigDevicesAreNamedGpus() {
    floors = List.of("1xH100:mig-1g.10gb");
    nodes.set(0, single("node-1", "1g.10gb", 3));
    nodes.add(node("node-2", H100));
    others.add(pod("busy").onDividedGpus("1g.10gb").requests(cpu(3)).on("node-1").draw());
    others.add(pod("whole").requests(cpu(9)).on("node-2").draw());
    requestedByOthers.put("node-1", cpu(60));

    assertThat(floors())
        .containsExactly(
            "0 impossible: 0 of 1 free; 2 not counted, where less is left than a usual pod requests"
                + " (cpu 3); no idle workload may be reclaimed on demand now");

    others.removeFirst();
    assertThat(floors()).containsExactly("3 enough-free: 3 free");
    others.add(pod("pending").requests(cpu(5)).waiting(ago("10s")).draw());
    assertThat(floors()).singleElement().asString().contains("3 not counted", "(cpu 5)");
  }

  /** Nodes with whole GPUs of the same label do not count. */
  @Test
  void keepsReplicasFree_thatAreNamedGpus() {
    floors = List.of("2xH100:gpu.shared");
    nodes.set(0, shared("node-1", H100));
    nodes.add(node("node-2", H100));
    nodes.add(shared("node-3", H100 + "-MIG-1g.10gb-SHARED"));
    others.add(pod("busy").replica(ResourceNames.GPU).on("node-1").draw());
    others.add(pod("other").replica(ResourceNames.GPU).on("node-1").draw());
    due("a", "node-1", pod -> pod.replica(ResourceNames.GPU));
    due("part", "90h", "node-3", pod -> pod.replica(ResourceNames.GPU));

    assertThat(acts()).containsExactly("a");
    assertThat(floors())
        .containsExactly("1 reclaiming: 1 of 2 free; to be reclaimed for it: 1 workload on node-1");
    floors = List.of("4xH100:mig-1g.10gb.shared");
    assertThat(acts()).containsExactly("part");
  }

  /** Free devices of a node that is not ready may be by another name than all others. */
  @Test
  void doesNothing_whileMigDevicesOfAnotherNameMayBeEnough() {
    floors = List.of("2xH100:mig-1g.10gb");
    nodes.set(0, single("node-1", "1g.10gb", 2));
    nodes.add(
        new NodeView("plain", Map.of(ResourceNames.GPU, 8, MIG, 1), Map.of(), List.of(), true));
    due("a", "node-1", pod -> pod.onDividedGpus("1g.10gb"));

    assertThat(floors())
        .containsExactly(
            "? unknown: 1 of 2 free; 1 more may be: node plain has no label nvidia.com/gpu.product");
    due("b", "node-1", pod -> pod.onDividedGpus("1g.10gb"));
    assertThat(acts()).containsExactly("a");
  }

  @Test
  void concernsWorkloadsWithDevicesOfItsResourceAlone() {
    floors = List.of("1xH100:mig-1g.10gb");
    nodes.set(0, divided("node-1", H100));

    assertThat(plan().floors())
        .extracting(
            each -> each.concerns(workload(pod("a").slices("1g.10gb", 1).on("node-1"))),
            each -> each.concerns(workload(pod("b").slices("3g.40gb", 1).on("node-1"))),
            each -> each.concerns(workload(pod("c").gpus(1).on("node-1"))))
        .containsExactly(tuple(true, false, false));
  }

  private static NodeView node(String name, String product) {
    return new NodeView(
        name,
        Map.of(ResourceNames.GPU, 8),
        Map.of("cpu", 64_000L, "memory", 1000L << 30),
        Map.of(NodeView.PRODUCT, product),
        List.of(),
        true,
        false);
  }

  /** One whole GPU, and MIG devices. */
  private static NodeView divided(String name, String product) {
    return new NodeView(
        name,
        Map.of(ResourceNames.GPU, 1, MIG, 3, "nvidia.com/mig-3g.40gb", 1),
        cpu(64),
        Map.of(NodeView.PRODUCT, product),
        List.of(),
        true,
        false);
  }

  /** MIG devices that are named GPUs. */
  private static NodeView single(String name, String profile, int devices) {
    return new NodeView(
        name,
        Map.of(ResourceNames.GPU, devices),
        cpu(64),
        Map.of(NodeView.PRODUCT, H100 + "-MIG-" + profile),
        List.of(),
        true,
        false);
  }

  /** Four replicas that are named GPUs. */
  private static NodeView shared(String name, String product) {
    return new NodeView(
        name,
        Map.of(ResourceNames.GPU, 4),
        cpu(64),
        Map.of(NodeView.PRODUCT, product, "nvidia.com/gpu.replicas", "2"),
        List.of(),
        true,
        false);
  }

  private static Map<String, Long> cpu(int cores) {
    return Map.of("cpu", 1_000L * cores);
  }

  /** Pods with one GPU each. */
  private void busy(String node, int pods, Map<String, Long> requests) {
    IntStream.range(0, pods)
        .forEach(i -> others.add(pod("busy-" + node + i).requests(requests).on(node).draw()));
  }

  private void due(String name, String node, UnaryOperator<PodDraft> with) {
    due(name, "20h", node, with);
  }

  private void due(String name, String idleFor, String node, UnaryOperator<PodDraft> with) {
    due.add(
        new Due(
            workload(with.apply(pod(name).on(node))),
            ago(idleFor),
            time(idleFor),
            ago("1h"),
            Mode.ON_DEMAND,
            new EvictPod()));
  }

  private static Workload workload(PodDraft pod) {
    PodView drawn = pod.draw();
    return new Workload(drawn.ref().namespace(), Optional.empty(), List.of(drawn));
  }

  private ClusterView cluster() {
    var pods = new ArrayList<>(others);
    due.forEach(each -> pods.addAll(each.workload().pods()));
    return new ClusterView(
        pods,
        Map.of(),
        nodes,
        Map.of(),
        Optional.empty(),
        SchedulingFacts.NONE.with(Neighbors.of(List.of(), List.of(), requestedByOthers)));
  }

  private Plan plan() {
    var limits =
        new PlanLimits(
            ActionBudgets.perPlan(9),
            Duration.ofSeconds(30),
            time("5m"),
            time("10m"),
            floors.stream().map(text -> FreeGpuFloor.parse(text).orElseThrow()).toList(),
            Optional.of(1.0));
    return new Planner(limits)
        .plan(
            new PlanInput(
                List.copyOf(due),
                cluster(),
                Map.of(),
                CircuitBreaker.BreakerStatus.CLOSED,
                PlanHistory.none(NOW),
                NOW));
  }

  private static Optional<Act> act(PlanEntry entry) {
    return entry.step() instanceof Act act ? Optional.of(act) : Optional.empty();
  }

  private List<String> acts() {
    return plan().entries().stream()
        .flatMap(entry -> act(entry).stream())
        .map(act -> act.workload().name())
        .toList();
  }

  private List<String> floors() {
    return plan().floors().stream()
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
