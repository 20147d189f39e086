package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Pending pods of which the scheduler says that some nodes have too few GPUs, and some, perhaps
 * others, too little CPU or memory: what a victim leaves must suffice.
 */
class ScarceResourcesTest {
  private static final List<NodeView> NODES = List.of(node("node-1", 4), node("node-2", 4));
  private static final String BOTH =
      "0/9 nodes are available: 4 Insufficient cpu, 9 Insufficient nvidia.com/gpu.";

  @Test
  void servesAPod_whoseCpuAVictimLeaves() {
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(16))), waiting("w", 4, cpu(16), BOTH)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  @Test
  void sparesAVictim_thatLeavesTooLittleCpu() {
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(15))), waiting("w", 4, cpu(16), BOTH)))
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (1) cannot"
                + " free 4 GPUs and as much cpu as it requests where it may run");
  }

  @Test
  void choosesTheVictim_thatLeavesEnough() {
    Due small = due("a", "node-1", 4, cpu(2));
    Due large = due("b", "node-2", 4, cpu(20));

    assertThat(pending(List.of(small, large), waiting("w", 4, cpu(16), BOTH)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-2: Pod ml/b");
  }

  @Test
  void addsUpWhatSeveralVictimsLeave() {
    Due one = due("a", "node-1", 2, cpu(8));
    Due other = due("b", "node-1", 2, cpu(8));

    assertThat(pending(List.of(one, other), waiting("w", 4, cpu(16), BOTH)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod ml/b");
  }

  /** The GPU that is free may be on a node without CPU, so it does not count. */
  @Test
  void frees_allThatThePodNeeds_whereAPartOfItsGpusIsFree() {
    Due half = due("a", "node-1", 2, cpu(8));

    assertThat(pending(List.of(half), waiting("w", 4, cpu(16), BOTH)))
        .singleElement()
        .asString()
        .startsWith("w: impossible: ");
  }

  @Test
  void checksEachResourceThatTheSchedulerNames() {
    String all =
        "0/9 nodes are available: 4 Insufficient cpu, 2 Insufficient memory, 1 Too many pods,"
            + " 9 Insufficient nvidia.com/gpu.";
    Map<String, Long> requests = Map.of("cpu", 1000L, "memory", 5000L);

    assertThat(
            pending(
                List.of(due("a", "node-1", 4, Map.of("cpu", 1000L, "memory", 4999L))),
                waiting("w", 4, requests, all)))
        .singleElement()
        .asString()
        .contains("4 GPUs and as much cpu as it requests and as much memory as it requests");
    assertThat(pending(List.of(due("a", "node-1", 4, requests)), waiting("w", 4, requests, all)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  /** Where GPUs are free, the scheduler has found that they do not help. */
  @Test
  void takesNoGpusForTheSakeOfCpu() {
    assertThat(pending(List.of(due("a", "node-1", 1, cpu(16))), waiting("w", 1, cpu(16), BOTH)))
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
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(16))), member("v", 8), member("w", 8)))
        .containsExactly(
            "train (group), 2 pods: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  @Test
  void servesNoGroup_ofWhichOneMemberWouldLackCpu() {
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(15))), member("v", 8), member("w", 7)))
        .singleElement()
        .asString()
        .startsWith("train (group), 2 pods: impossible: ");
  }

  /** Of three GPUs with CPU one is left, and beside it a free one, perhaps without. */
  @Test
  void countsNoFreeGpuForTheSecondMember() {
    Due three = due("a", "node-1", 3, cpu(12));
    Due other = due("b", "node-2", 4, cpu(16));

    assertThat(pending(List.of(three), member("v", 8), member("w", 8)))
        .singleElement()
        .asString()
        .startsWith("train (group), 2 pods: impossible: ");
    assertThat(pending(List.of(three, other), member("v", 8), member("w", 8)))
        .containsExactly(
            "train (group), 2 pods: reclaiming: to be reclaimed for it, on node-2: Pod ml/b");
  }

  /**
   * Of one member the scheduler says that CPU is scarce, of the other that the first is missing.
   */
  @Test
  void servesAGroup_ofWhichTheSchedulerSaysOnlyOnceWhatIsScarce() {
    PodView second =
        pod("w")
            .in("train")
            .gpus(2)
            .requests(cpu(8))
            .waiting(ago("4m"), "optimistic rejection in PostFilter")
            .draw();

    assertThat(pending(List.of(due("a", "node-1", 4, cpu(15))), member("v", 8), second))
        .singleElement()
        .asString()
        .startsWith("train (group), 2 pods: impossible: ");
    assertThat(pending(List.of(due("a", "node-1", 4, cpu(16))), member("v", 8), second))
        .singleElement()
        .asString()
        .startsWith("train (group), 2 pods: reclaiming: ");
  }

  /** Another pod that is about to leave gives its CPU back as well. */
  @Test
  void waits_whereEnoughGpusAreAboutToBeFree() {
    PodView leaving = pod("gone").gpus(4).on("node-2").terminating().draw();

    assertThat(
            pending(
                List.of(due("a", "node-1", 4, cpu(16))), waiting("w", 4, cpu(16), BOTH), leaving))
        .containsExactly("w: enough-free: enough GPUs are free on node-2 already");
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

  private static List<String> pending(List<Due> idle, PodView... others) {
    return PendingSentences.of(idle, List.of(others), NODES, SchedulingFacts.NONE);
  }

  private static Due due(String name, String node, int gpus, Map<String, Long> requests) {
    return PendingSentences.due(pod(name).gpus(gpus).requests(requests).on(node));
  }
}
