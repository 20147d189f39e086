package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.plan.PendingSentences.due;
import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.plan.Step.Beneficiary.PendingPod;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pending pods that request devices of several kinds, which must be free on one node. */
class CombinedDemandTest {
  private static final String SMALL = "1g.10gb";
  private static final String LARGE = "3g.40gb";
  private static final String SHARED = ResourceNames.SHARED_GPU;
  private static final String CLASS = "mig.nvidia.com";
  private static final String CPU = "cpu";
  private static final String MESSAGE =
      "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 2 Insufficient nvidia.com/mig-1g.10gb.";
  private static final List<NodeView> NODES = List.of(mixed("node-1", 2, 2), mixed("node-2", 2, 2));

  @Test
  void frees_allKindsOnOneNode() {
    List<Due> due =
        List.of(
            due(pod("a").gpus(2).on("node-1")),
            due(pod("b").slices(SMALL, 2).on("node-2")),
            due(pod("c").slices(SMALL, 1).on("node-1")),
            due(pod("d").slices(SMALL, 1).on("node-1")));

    assertThat(pending(due, NODES, pod("busy").gpus(2).on("node-2").draw(), waiting(1, 1)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod ml/c");
  }

  /** What is free of one kind, or is freed on another node, is of no use without the other kind. */
  @Test
  void freesNothing_whereOneKindCannotBeFree() {
    PodView[] busy = {
      pod("e").gpus(2).on("node-2").draw(),
      pod("f").slices(SMALL, 2).on("node-1").draw(),
      waiting(1, 1)
    };
    List<Due> apart =
        List.of(due(pod("a").gpus(2).on("node-1")), due(pod("b").slices(SMALL, 2).on("node-2")));

    assertThat(pending(apart, NODES, busy))
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (2) cannot"
                + " free 1 GPU and 1 nvidia.com/mig-1g.10gb where it may run");
  }

  @Test
  void freesOnlyTheKindThatIsMissing() {
    List<Due> due =
        List.of(
            due(pod("a").gpus(1).on("node-1")),
            due(pod("b").slices(SMALL, 2).on("node-1"), "1h"),
            due(pod("c").gpus(2).on("node-2"), "30d"));

    assertThat(pending(due, NODES, pod("e").slices(SMALL, 2).on("node-2").draw(), waiting(1, 1)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/b");
  }

  /** A workload with both kinds costs less than two. */
  @Test
  void choosesTheFewestWorkloads() {
    List<Due> due =
        List.of(
            due(pod("a").gpus(1).on("node-1")),
            due(pod("b").slices(SMALL, 1).gpus(1).on("node-1")),
            due(pod("c").slices(SMALL, 1).on("node-1")),
            due(pod("d").gpus(1).on("node-2")),
            due(pod("e").slices(SMALL, 2).gpus(1).on("node-2")));

    assertThat(pending(due, NODES, waiting(1, 1)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/b");
  }

  @Test
  void waitsForTheScheduler_whereAllKindsAreFree() {
    assertThat(pending(List.of(due(pod("a").gpus(2).on("node-1"))), NODES, waiting(1, 1)))
        .containsExactly("w: enough-free: enough devices are free on node-2 already");
  }

  /** What was promised to it serves no pod with one of the kinds. */
  @Test
  void promisesBothKinds() {
    List<Due> due =
        List.of(
            due(pod("a").gpus(2).on("node-1")),
            due(pod("b").slices(SMALL, 2).on("node-1")),
            due(pod("c").gpus(1).on("node-2")));

    assertThat(
            pending(
                due,
                NODES,
                pod("busy").slices(SMALL, 2).gpus(1).on("node-2").draw(),
                waiting(2, 2),
                pod("x").gpus(1).waiting(ago("3m")).draw()))
        .containsExactly(
            "w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod ml/b",
            "x: reclaiming: to be reclaimed for it, on node-2: Pod ml/c");
  }

  @Test
  void servesTwoProfiles() {
    NodeView node = node("node-1", Map.of(mig(SMALL), 1, mig(LARGE), 1), Map.of());
    PodView both =
        waiting(
                pod("w"),
                new Accelerators(0, Map.of(SMALL, 1, LARGE, 1), false),
                "0/1 nodes are available: 1 Insufficient nvidia.com/mig-3g.40gb.")
            .draw();

    assertThat(
            pending(
                List.of(
                    due(pod("a").slices(SMALL, 1).on("node-1")),
                    due(pod("b").slices(LARGE, 1).on("node-1"))),
                List.of(node),
                both))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod ml/b");
  }

  @Test
  void servesAPod_withReplicasBesideWholeGpus() {
    NodeView node = node("node-1", Map.of(SHARED, 2, ResourceNames.GPU, 1), Map.of());
    PodView both =
        waiting(
                pod("w"),
                Accelerators.whole(1).sharing(Map.of(SHARED, 1)),
                "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.shared.")
            .draw();

    assertThat(
            pending(
                List.of(
                    due(pod("a").replica(SHARED).on("node-1")), due(pod("b").gpus(1).on("node-1"))),
                List.of(node),
                pod("busy").replica(SHARED).on("node-1").draw(),
                both))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod ml/b");
  }

  /** The scheduler names the devices of claims only where the others are free. */
  @Test
  void servesAPod_withClaimsBesideWholeGpus() {
    PodView both =
        pod("w")
            .waiting(ago("4m"), "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")
            .claims(CLASS, 1)
            .gpus(1)
            .draw();
    List<NodeView> nodes = List.of(node("node-1", Map.of(ResourceNames.GPU, 1), Map.of()));
    Due gpu = due(pod("a").gpus(1).on("node-1"));
    Due claimed = due(pod("b").on("node-1").claims(CLASS, 1));
    Due others = due(pod("b").on("node-1").claims("other.nvidia.com", 1));

    assertThat(pending(List.of(gpu, claimed), nodes, both))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod ml/b");
    assertThat(pending(List.of(gpu, others), nodes, both))
        .singleElement()
        .asString()
        .contains(
            "w: impossible: ", "1 deviceclass.resource.kubernetes.io/mig.nvidia.com and 1 GPU");
  }

  /** Also with more workloads than are tried with their other resources one by one. */
  @Test
  void leavesAsMuchCpuAsThePodRequests() {
    NodeView node =
        new NodeView(
            "node-1",
            Map.of(ResourceNames.GPU, 8, mig(SMALL), 8),
            Map.of(CPU, 32L),
            Map.of(),
            List.of(),
            true,
            false);
    List<Due> due = new ArrayList<>();
    IntStream.range(0, 8)
        .forEach(
            each -> {
              Map<String, Long> cpu = Map.of(CPU, each < 6 ? 1L : 4L);
              due.add(due(pod("gpu-" + each).gpus(1).on("node-1").requests(cpu)));
              due.add(due(pod("mig-" + each).slices(SMALL, 1).on("node-1").requests(cpu)));
            });
    PodView busy = pod("busy").gpus(0).on("node-1").requests(Map.of(CPU, 4L)).draw();

    assertThat(
            pending(
                due,
                List.of(node),
                busy,
                pod("w")
                    .waiting(ago("4m"), MESSAGE)
                    .slices(SMALL, 1)
                    .gpus(1)
                    .requests(Map.of(CPU, 8L))
                    .draw()))
        .singleElement()
        .asString()
        .matches("w: reclaiming: .*: Pod ml/gpu-[67], Pod ml/mig-[67]");
  }

  /** Where another pod took one of the kinds, GPUs are freed again. */
  @Test
  void noticesThatOneKindWasTaken() {
    PodView waiting = waiting(1, 1);
    Due gone = due(pod("a").slices(SMALL, 2).on("node-1"));
    var served = new PendingPod(Demand.of(waiting).orElseThrow(), "node-1");
    Nominations freed = Nominations.NONE.after(gone.workload(), served, NOW);
    PodView other = pod("o").slices(SMALL, 2).on("node-1").draw();
    PodView elsewhere = pod("o").slices(SMALL, 2).on("node-2").draw();

    assertThat(taken(freed, waiting, elsewhere)).isEmpty();
    assertThat(taken(freed, waiting, other)).containsExactly("w");
  }

  private static List<String> taken(Nominations freed, PodView... pods) {
    var view = new ClusterView(List.of(pods), Map.of(), NODES, Map.of());
    return freed.taken(freed.among(List.of(pods)), view).stream()
        .map(each -> each.pod().name())
        .toList();
  }

  private static List<String> pending(List<Due> due, List<NodeView> nodes, PodView... others) {
    return PendingSentences.of(due, List.of(others), nodes, SchedulingFacts.NONE);
  }

  private static PodView waiting(int gpus, int slices) {
    return pod("w").waiting(ago("4m"), MESSAGE).slices(SMALL, slices).gpus(gpus).draw();
  }

  private static PodDraft waiting(PodDraft draft, Accelerators requested, String message) {
    return draft.waiting(ago("4m"), message).accelerators(requested);
  }

  private static NodeView mixed(String name, int gpus, int slices) {
    return node(name, Map.of(ResourceNames.GPU, gpus, mig(SMALL), slices), Map.of());
  }

  private static NodeView node(
      String name, Map<String, Integer> devices, Map<String, String> labels) {
    return new NodeView(name, devices, labels, List.of(), true);
  }

  private static String mig(String profile) {
    return ResourceNames.MIG_PREFIX + profile;
  }
}
