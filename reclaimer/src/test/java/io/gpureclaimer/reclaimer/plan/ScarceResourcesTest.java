package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Pending pods that request CPU and memory in addition to GPUs: what is free on a node and what
 * victims leave must suffice. Each node has four GPUs and 16 cores.
 */
class ScarceResourcesTest {
  private static final String GPUS_ALONE =
      "0/9 nodes are available: 9 Insufficient nvidia.com/gpu.";
  private static final String BOTH =
      "0/9 nodes are available: 4 Insufficient cpu, 9 Insufficient nvidia.com/gpu.";
  private static final String IMPOSSIBLE =
      "w: impossible: the idle workloads that may be reclaimed for a pending pod now (1) cannot"
          + " free 4 GPUs and as much cpu as it requests where it may run";

  private final Map<String, Map<String, Long>> requestedByOthers = new HashMap<>();
  private Map<String, Long> memory = Map.of("memory", 9_000L);

  @Test
  void servesAPod_whoseCpuAVictimLeaves() {
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(16))), waiting("w", 4, cpu(16), BOTH)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  @Test
  void servesAPod_whoseCpuIsFree() {
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(0))), waiting("w", 4, cpu(16), BOTH)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  @Test
  void servesAPod_whoseCpuIsPartlyFree() {
    requestedByOthers.put("node-1", cpu(10));

    assertThat(pending(List.of(due("a", "node-1", 4, cpu(2))), waiting("w", 4, cpu(6), BOTH)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  @Test
  void sparesAVictim_thatLeavesTooLittleCpu() {
    requestedByOthers.put("node-1", cpu(10));

    assertThat(pending(List.of(due("a", "node-1", 4, cpu(2))), waiting("w", 4, cpu(7), BOTH)))
        .containsExactly(IMPOSSIBLE);
  }

  /** The scheduler names only what it finds too little of on some node as it is. */
  @Test
  void sparesTheVictim_alsoWhereTheSchedulerNamesNoCpu() {
    requestedByOthers.put("node-1", cpu(10));

    assertThat(pending(List.of(due("a", "node-1", 4, cpu(2))), waiting("w", 4, cpu(7), GPUS_ALONE)))
        .containsExactly(IMPOSSIBLE);
  }

  @Test
  void countsWhatWorkingPodsRequest() {
    Due half = due("a", "node-1", 2, cpu(2));
    PodView working = pod("b").gpus(2).requests(cpu(10)).on("node-1").draw();

    assertThat(pending(List.of(half), waiting("w", 2, cpu(6), BOTH), working))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
    assertThat(pending(List.of(half), waiting("w", 2, cpu(7), BOTH), working))
        .singleElement()
        .asString()
        .startsWith("w: impossible: ");
  }

  @Test
  void choosesTheVictim_thatLeavesEnough() {
    requestedByOthers.put("node-1", cpu(12));
    requestedByOthers.put("node-2", cpu(9));
    Due small = due("a", "node-1", 4, cpu(2));
    Due large = due("b", "node-2", 4, cpu(7));

    assertThat(pending(List.of(small, large), waiting("w", 4, cpu(6), BOTH)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-2: Pod ml/b");
  }

  /** Of three with one GPU each, two are needed, and only one of them leaves the cores. */
  @Test
  void choosesTheVictimsThatLeaveEnoughTogether() {
    requestedByOthers.put("node-1", cpu(9));
    List<Due> three =
        List.of(
            due("a", "node-1", 1, cpu(1)),
            due("b", "node-1", 1, cpu(1)),
            due("c", "node-1", 1, cpu(5)));
    PodView working = pod("d").gpus(1).on("node-1").draw();

    assertThat(pending(three, waiting("w", 2, cpu(6), BOTH), working))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod ml/c");
  }

  @Test
  void addsUpWhatIsFreeAndWhatSeveralVictimsLeave_whereAPartOfTheGpusIsFree() {
    requestedByOthers.put("node-1", cpu(4));
    Due half = due("a", "node-1", 2, cpu(8));

    assertThat(pending(List.of(half), waiting("w", 4, cpu(12), BOTH)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
    assertThat(pending(List.of(half), waiting("w", 4, cpu(13), BOTH))).containsExactly(IMPOSSIBLE);
  }

  @Test
  void checksEachResource() {
    Map<String, Long> requests = Map.of("cpu", 1_000L, "memory", 5_000L);
    Due victim = due("a", "node-1", 4, Map.of("cpu", 1_000L, "memory", 4_999L));
    memory = Map.of("memory", 4_999L);

    assertThat(pending(List.of(victim), waiting("w", 4, requests, BOTH)))
        .singleElement()
        .asString()
        .startsWith("w: impossible: ");
    memory = Map.of("memory", 5_000L);
    assertThat(pending(List.of(victim), waiting("w", 4, requests, BOTH)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  /** As many as a node can run, whatever they request. */
  @Test
  void countsPods() {
    String all = "0/9 nodes are available: 1 Too many pods, 9 Insufficient nvidia.com/gpu.";
    memory = Map.of("pods", 5_000L);
    requestedByOthers.put("node-1", Map.of("pods", 4_000L));
    Map<String, Long> one = Map.of("pods", 1_000L);

    assertThat(pending(List.of(due("a", "node-1", 4, one)), waiting("w", 4, one, all)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
    requestedByOthers.put("node-1", Map.of("pods", 5_000L));
    assertThat(pending(List.of(due("a", "node-1", 2, one)), waiting("w", 3, one, all)))
        .singleElement()
        .asString()
        .startsWith("w: impossible: ");
  }

  /** Where GPUs are free, they are not what it lacks. */
  @Test
  void takesNoGpusForTheSakeOfCpu() {
    requestedByOthers.put("node-1", cpu(2));

    assertThat(pending(List.of(due("a", "node-1", 1, cpu(14))), waiting("w", 1, cpu(14), BOTH)))
        .singleElement()
        .asString()
        .startsWith("w: impossible: ");
  }

  /** Such as a resource of the whole pod that is read from elsewhere. */
  @Test
  void servesNoPod_whoseRequestOfTheResourceIsUnknown() {
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(16))), waiting("w", 4, Map.of(), BOTH)))
        .containsExactly(
            "w: needs-more: free GPUs may not be all that it lacks; the scheduler says: " + BOTH);
  }

  @Test
  void servesAGroup_whoseCpuOneVictimLeavesForAll() {
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(16))), member("v", 9), member("w", 7)))
        .containsExactly(
            "train (group), 2 pods: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  @Test
  void servesNoGroup_ofWhichOneMemberWouldLackCpu() {
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(16))), member("v", 9), member("w", 8)))
        .singleElement()
        .asString()
        .startsWith("train (group), 2 pods: impossible: ");
  }

  @Test
  void spreadsAGroup_whoseCpuIsNotOnOneNode() {
    Due one = due("a", "node-1", 4, cpu(1));
    Due other = due("b", "node-2", 4, cpu(1));

    assertThat(pending(List.of(one, other), member("v", 9), member("w", 8)))
        .containsExactly(
            "train (group), 2 pods: reclaiming: to be reclaimed for it, on node-1, node-2: Pod"
                + " ml/a, Pod ml/b");
  }

  /** What the first pending pod will use is not free for the second one. */
  @Test
  void countsWhatPendingPodsOfTheSamePlanWillUse() {
    PodView first = waiting("w1", 2, cpu(9), GPUS_ALONE);
    PodView second = waiting("w2", 2, cpu(9), GPUS_ALONE);
    Due one = due("a", "node-1", 2, cpu(0));
    Due other = due("b", "node-1", 2, cpu(0));

    assertThat(pending(List.of(one, other), first, second))
        .satisfiesExactlyInAnyOrder(
            served -> assertThat(served).contains(": reclaiming: "),
            left -> assertThat(left).contains(": impossible: "));
  }

  /** Another pod that is about to leave gives its CPU back as well. */
  @Test
  void waits_whereEnoughGpusAreAboutToBeFree() {
    PodView leaving = pod("gone").gpus(4).requests(cpu(16)).on("node-2").terminating().draw();

    assertThat(
            pending(
                List.of(due("a", "node-1", 4, cpu(16))), waiting("w", 4, cpu(16), BOTH), leaving))
        .containsExactly("w: enough-free: enough GPUs are free on node-2 already");
  }

  @Test
  void namesWhatIsScarceOfEachPod_alsoWhereAnotherRequestsTheSame() {
    List<String> sentences =
        pending(
            List.of(due("a", "node-1", 4, cpu(0))),
            waiting("v", 8, cpu(1), GPUS_ALONE),
            waiting("w", 8, cpu(1), BOTH));

    String cannot =
        ": impossible: the idle workloads that may be reclaimed for a pending pod now (1) cannot"
            + " free 8 GPUs";
    assertThat(sentences)
        .containsExactlyInAnyOrder(
            "v" + cannot + " where it may run",
            "w" + cannot + " and as much cpu as it requests where it may run");
  }

  private static Map<String, Long> cpu(long cores) {
    return Map.of("cpu", cores * 1000);
  }

  private static PodView waiting(
      String name, int gpus, Map<String, Long> requests, String message) {
    return pod(name).gpus(gpus).requests(requests).waiting(ago("4m"), message).draw();
  }

  private static PodView member(String name, int cores) {
    return pod(name).in("train").gpus(2).requests(cpu(cores)).waiting(ago("4m"), BOTH).draw();
  }

  /** The other node is full where nothing says that it is not. */
  private List<String> pending(List<Due> idle, PodView... others) {
    List<PodView> pods = new ArrayList<>(List.of(others));
    boolean isSecondUsed =
        idle.stream().anyMatch(due -> isOn(due.workload().firstPod(), "node-2"))
            || pods.stream().anyMatch(pod -> isOn(pod, "node-2"));
    if (!isSecondUsed) {
      pods.add(pod("full").gpus(4).on("node-2").draw());
    }
    return PendingSentences.of(
        idle,
        pods,
        List.of(node("node-1"), node("node-2")),
        SchedulingFacts.NONE.with(Neighbors.of(List.of(), List.of(), requestedByOthers)));
  }

  private static boolean isOn(PodView pod, String node) {
    return pod.node().filter(node::equals).isPresent();
  }

  private NodeView node(String name) {
    Map<String, Long> allocatable = new HashMap<>(memory);
    allocatable.putAll(cpu(16));
    return new NodeView(
        name,
        Map.of(ResourceNames.GPU, 4),
        allocatable,
        Map.of("name", name),
        List.of(),
        true,
        false);
  }

  private static Due due(String name, String node, int gpus, Map<String, Long> requests) {
    return PendingSentences.due(pod(name).gpus(gpus).requests(requests).on(node));
  }
}
