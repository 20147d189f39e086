package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.plan.PendingSentences.due;
import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Pending pods that request devices by resource claims, for which the scheduler preempts nothing:
 * what is freed are devices of claims that request the same class with the same selectors.
 */
class ClaimDemandTest {
  private static final List<NodeView> NODES = List.of(node("node-1"), node("node-2"));
  private static final String GPU = "gpu.nvidia.com";
  private static final String SMALL = "mig.nvidia.com [profile == '1g.10gb']";
  private static final String MESSAGE =
      "0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2"
          + " nodes are available: 2 Preemption is not helpful for scheduling.";

  @Test
  void servesAPod_byAWorkloadWithDevicesOfItsClass() {
    assertThat(
            pending(
                List.of(
                    due(pod("a").on("node-1").claims(SMALL, 1)),
                    due(pod("b").on("node-1").gpus(1)),
                    due(pod("c").on("node-2").claims(GPU, 1))),
                waiting("w", GPU, 1)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-2: Pod ml/c");
  }

  /** What else is free on a node is not known, so all that is missing comes from victims. */
  @Test
  void freesAllDevicesOnOneNode() {
    List<Due> apart =
        List.of(
            due(pod("a").on("node-1").claims(GPU, 1)), due(pod("b").on("node-2").claims(GPU, 1)));
    List<Due> together =
        List.of(
            due(pod("a").on("node-1").claims(GPU, 1)), due(pod("b").on("node-1").claims(GPU, 1)));

    assertThat(pending(together, waiting("w", GPU, 2)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod ml/b");
    assertThat(pending(apart, waiting("w", GPU, 2)))
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (2) cannot"
                + " free 2 deviceclass.resource.kubernetes.io/gpu.nvidia.com where it may run");
  }

  @Test
  void waitsForDevices_thatAreAboutToBeFree() {
    assertThat(
            pending(
                List.of(due(pod("a").on("node-1").claims(GPU, 1))),
                pod("gone").on("node-2").claims(GPU, 1).terminating().draw(),
                waiting("w", GPU, 1)))
        .containsExactly("w: enough-free: enough devices are free on node-2 already");
  }

  @Test
  void servesNoPod_ofWhoseClaimsTheSchedulerDoesNotSpeak() {
    PodView other =
        pod("w")
            .claims(GPU, 1)
            .waiting(ago("4m"), "0/2 nodes are available: 2 Too many pods.")
            .draw();

    assertThat(pending(List.of(due(pod("a").on("node-1").claims(GPU, 1))), other))
        .containsExactly(
            "w: needs-more: free devices may not be all that it lacks; the scheduler says: 0/2 nodes"
                + " are available: 2 Too many pods.");
  }

  private static List<String> pending(List<Due> due, PodView... others) {
    return PendingSentences.of(due, List.of(others), NODES, SchedulingFacts.NONE);
  }

  private static NodeView node(String name) {
    return new NodeView(name, Map.of(), Map.of(), List.of(), true);
  }

  private static PodView waiting(String name, String deviceClass, int count) {
    return pod(name).waiting(ago("4m"), MESSAGE).claims(deviceClass, count).draw();
  }
}
