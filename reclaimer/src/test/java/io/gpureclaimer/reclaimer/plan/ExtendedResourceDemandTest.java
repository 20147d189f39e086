package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.plan.PendingSentences.due;
import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Pending pods that request {@code nvidia.com/gpu}, where nodes without a device plugin give GPUs
 * by claims that the scheduler makes. It preempts nothing for them.
 */
class ExtendedResourceDemandTest {
  /** Messages of kube-scheduler 1.36.2. */
  private static final String BY_CLAIMS =
      "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1"
          + " nodes are available: 1 Preemption is not helpful for scheduling.";

  private static final String MIXED =
      "0/4 nodes are available: 1 Insufficient nvidia.com/gpu, 3 cannot allocate all claims. still not"
          + " schedulable, preemption: 0/4 nodes are available: 1 No preemption victims found for"
          + " incoming pod, 3 Preemption is not helpful for scheduling.";

  private static final String SCARCE_CPU =
      "0/4 nodes are available: 1 Insufficient cpu, 1 Insufficient nvidia.com/gpu, 2 cannot allocate"
          + " all claims. still not schedulable, preemption: 0/4 nodes are available: 1 No preemption"
          + " victims found for incoming pod, 3 Preemption is not helpful for scheduling.";

  private static final List<NodeView> NODES = List.of(claiming("dra-1"), claiming("dra-2"));
  private static final List<NodeView> MIXED_NODES =
      List.of(
          claiming("dra-1"),
          new NodeView("plugin", Map.of(ResourceNames.GPU, 1), Map.of(), List.of(), true));

  @Test
  void servesAPod_byAWorkloadWithGpusOfSuchAClaim() {
    assertThat(
            pending(
                List.of(
                    due(pod("a").on("dra-1").claims("gpu.nvidia.com", 1)),
                    due(pod("b").on("dra-2").byClaim())),
                pending("w", 1, BY_CLAIMS)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on dra-2: Pod ml/b");
  }

  /** What else is free on a node is not known, so all that is missing comes from victims. */
  @Test
  void freesAllGpusOnOneNode() {
    List<Due> apart =
        List.of(due(pod("a").on("dra-1").byClaim()), due(pod("b").on("dra-2").byClaim()));
    List<Due> together =
        List.of(due(pod("a").on("dra-1").byClaim()), due(pod("b").on("dra-1").byClaim()));

    assertThat(pending(together, pending("w", 2, BY_CLAIMS)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on dra-1: Pod ml/a, Pod ml/b");
    assertThat(pending(apart, pending("w", 2, BY_CLAIMS)))
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (2) cannot"
                + " free 2 GPUs where it may run");
  }

  @Test
  void waitsForGpus_thatAreAboutToBeFree() {
    assertThat(
            pending(
                List.of(due(pod("a").on("dra-1").byClaim())),
                pod("gone").on("dra-2").byClaim().terminating().draw(),
                pending("w", 1, BY_CLAIMS)))
        .containsExactly("w: enough-free: enough GPUs are free on dra-2 already");
  }

  @Test
  void servesEachPodByAnotherWorkload() {
    assertThat(
            pending(
                List.of(due(pod("a").on("dra-1").byClaim()), due(pod("b").on("dra-2").byClaim())),
                pending("v", 1, BY_CLAIMS),
                pending("w", 1, BY_CLAIMS)))
        .containsExactly(
            "v: reclaiming: to be reclaimed for it, on dra-1: Pod ml/a",
            "w: reclaiming: to be reclaimed for it, on dra-2: Pod ml/b");
  }

  /** It looks the same, but for what the status of its pods says. */
  @Test
  void takesNoNode_whoseDevicePluginLostItsGpus() {
    assertThat(
            pending(
                List.of(due(pod("a").on("dra-1")), due(pod("b").on("dra-1"))),
                pending("w", 1, BY_CLAIMS)))
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (2) cannot"
                + " free 1 GPU where it may run");
  }

  /** No DeviceClass gives GPUs by that name any longer. */
  @Test
  void takesNoNode_ofWhichTheSchedulerDoesNotTryClaims() {
    assertThat(
            pending(
                List.of(due(pod("a").on("dra-1").byClaim())),
                pending("w", 1, "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")))
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (1) cannot"
                + " free 1 GPU where it may run");
  }

  /** The driver may not offer the GPUs that pods have of a stopped device plugin. */
  @Test
  void takesNoNode_wherePodsStillHaveGpusOfADevicePlugin() {
    assertThat(
            pending(
                List.of(due(pod("a").on("dra-1")), due(pod("b").on("dra-1").byClaim())),
                pending("w", 1, BY_CLAIMS)))
        .singleElement()
        .asString()
        .startsWith("w: impossible: ");
  }

  @Test
  void choosesAmongNodesOfBothKinds() {
    PodDraft byPlugin = pod("a").on("plugin");
    PodDraft byClaim = pod("b").on("dra-1").byClaim();

    assertThat(mixed(List.of(due(byPlugin, "2h"), due(byClaim, "9h")), pending("w", 1, MIXED)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on dra-1: Pod ml/b");
    assertThat(mixed(List.of(due(byPlugin, "9h"), due(byClaim, "2h")), pending("w", 1, MIXED)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on plugin: Pod ml/a");
  }

  @Test
  void servesAPod_whereEnoughCpuIsLeftToo() {
    List<NodeView> nodes =
        List.of(
            new NodeView(
                "dra-1", Map.of(), Map.of("cpu", 4_000L), Map.of(), List.of(), true, false),
            new NodeView(
                "dra-2", Map.of(), Map.of("cpu", 2_000L), Map.of(), List.of(), true, false));
    PodView pending =
        pod("w").requests(Map.of("cpu", 3_000L)).waiting(ago("4m"), SCARCE_CPU).draw();

    assertThat(
            PendingSentences.of(
                List.of(due(pod("a").on("dra-1").byClaim()), due(pod("b").on("dra-2").byClaim())),
                List.of(pending),
                nodes,
                SchedulingFacts.NONE))
        .containsExactly("w: reclaiming: to be reclaimed for it, on dra-1: Pod ml/a");
  }

  /** As the scheduler counts: of a device plugin, one GPU is free. */
  @Test
  void countsWhatADevicePluginOffers_whereOneIsBack() {
    NodeView back = new NodeView("plugin", Map.of(ResourceNames.GPU, 2), Map.of(), List.of(), true);
    assertThat(
            PendingSentences.of(
                List.of(due(pod("a").on("plugin").byClaim())),
                List.of(pending("w", 2, MIXED), pending("x", 1, MIXED)),
                List.of(back),
                SchedulingFacts.NONE))
        .containsExactly(
            "w: reclaiming: to be reclaimed for it, on plugin: Pod ml/a",
            "x: impossible: the idle workloads that may be reclaimed for a pending pod now (1) cannot"
                + " free 1 GPU where it may run");
  }

  @Test
  void servesAPodThatRequestsAMigDevice() {
    assertThat(
            pending(
                List.of(
                    due(pod("a").on("dra-1").byClaim()),
                    due(pod("b").on("dra-1").slices("1g.10gb", 1).byClaim())),
                pod("w").slices("1g.10gb", 1).waiting(ago("4m"), BY_CLAIMS).draw()))
        .containsExactly("w: reclaiming: to be reclaimed for it, on dra-1: Pod ml/b");
  }

  @Test
  void servesAPodWithAClaimOfItsOwnInAddition() {
    PodDraft both = pod("w").waiting(ago("4m"), BY_CLAIMS).claims("nic", 1).gpus(1);

    assertThat(
            pending(
                List.of(
                    due(pod("a").on("dra-1").byClaim()),
                    due(pod("b").on("dra-1").claims("nic", 1))),
                both.draw()))
        .containsExactly("w: reclaiming: to be reclaimed for it, on dra-1: Pod ml/a, Pod ml/b");
  }

  @Test
  void servesNoPod_ofWhoseGpusTheSchedulerDoesNotSpeak() {
    assertThat(
            pending(
                List.of(due(pod("a").on("dra-1").byClaim())),
                pending("w", 1, "0/1 nodes are available: 1 Insufficient cpu.")))
        .containsExactly(
            "w: needs-more: free GPUs may not be all that it lacks; the scheduler says: 0/1 nodes are"
                + " available: 1 Insufficient cpu.");
  }

  private static List<String> pending(List<Due> due, PodView... others) {
    return PendingSentences.of(due, List.of(others), NODES, SchedulingFacts.NONE);
  }

  private static List<String> mixed(List<Due> due, PodView... others) {
    return PendingSentences.of(due, List.of(others), MIXED_NODES, SchedulingFacts.NONE);
  }

  private static NodeView claiming(String name) {
    return new NodeView(name, Map.of(), Map.of(), List.of(), true);
  }

  private static PodView pending(String name, int gpus, String message) {
    return pod(name).gpus(gpus).waiting(ago("4m"), message).draw();
  }
}
