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
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pending pods that a replica of a shared GPU suffices for: the scheduler counts each one. */
class ReplicaDemandTest {
  private static final Planner PLANNER = new Planner(new PlanLimits(9, Duration.ofSeconds(30)));
  private static final String RENAMED = "nvidia.com/gpu.shared";

  /** On the first one, what is named GPUs are replicas. */
  private static final List<NodeView> NODES =
      List.of(
          node("shared", Map.of(ResourceNames.GPU, 2), Map.of("nvidia.com/gpu.replicas", "2")),
          node("renamed", Map.of(RENAMED, 2), Map.of("nvidia.com/gpu.replicas", "2")),
          node("wide", Map.of(RENAMED, 4), Map.of("nvidia.com/gpu.replicas", "4")),
          node("whole", Map.of(ResourceNames.GPU, 1), Map.of()));

  private static final PodView BUSY = pod("busy").on("whole").draw();
  private static final PodView FULL = pod("full").replicas(RENAMED, 2).on("renamed").draw();
  private static final String NO_REPLICAS =
      "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.shared.";
  private static final String REFUSED =
      "; nodes that share GPUs do not count, because their device plugins may refuse a container"
          + " with several replicas (failRequestsGreaterThanOne)";

  @Test
  void servesAPod_byOneOfThePodsThatShareAGpu() {
    List<Due> due =
        List.of(
            due(pod("a").replica(ResourceNames.GPU).on("shared")),
            due(pod("b").replica(ResourceNames.GPU).on("shared")),
            due(pod("c").replica(RENAMED).on("renamed")));

    assertThat(pending(due, BUSY, pod("w").waiting(ago("4m")).draw()))
        .containsExactly("w: reclaiming: to be reclaimed for it, on shared: Pod ml/a");
  }

  @Test
  void servesAPodThatNamesReplicas_byThoseOfThatName() {
    List<Due> due =
        List.of(
            due(pod("a").replica(ResourceNames.GPU).on("shared")),
            due(pod("c").replica(RENAMED).on("renamed")));
    assertThat(
            pending(
                due,
                BUSY,
                pod("other").replica(RENAMED).on("renamed").draw(),
                pod("wide").replicas(RENAMED, 4).on("wide").draw(),
                pod("w").replica(RENAMED).waiting(ago("4m"), NO_REPLICAS).draw()))
        .containsExactly("w: reclaiming: to be reclaimed for it, on renamed: Pod ml/c");
  }

  /** Two replicas may be of one GPU, and device plugins may refuse such a pod. */
  @Test
  void servesAPodWithSeveralGpus_byWholeOnesAlone() {
    List<Due> due =
        List.of(
            due(pod("a").replica(ResourceNames.GPU).on("shared")),
            due(pod("b").replica(ResourceNames.GPU).on("shared")));

    assertThat(pending(due, BUSY, pod("w").gpus(2).waiting(ago("4m")).draw()))
        .singleElement()
        .asString()
        .startsWith("w: impossible: ");
    assertThat(
            pending(
                List.of(due.getFirst()),
                BUSY,
                pod("w").in("train").waiting(ago("4m")).draw(),
                pod("v").in("train").waiting(ago("4m")).draw()))
        .singleElement()
        .asString()
        .contains("reclaiming: to be reclaimed for it, on shared: Pod ml/a");
  }

  /** Each node has a configuration of its own, so another node proves nothing. */
  @Test
  void servesAPodWithSeveralReplicas_whereAnotherOneHasStarted() {
    List<Due> due =
        List.of(
            due(pod("a").replica(RENAMED).on("renamed")),
            due(pod("b").replica(RENAMED).on("renamed")));
    PodView pair = pod("w").replicas(RENAMED, 2).waiting(ago("4m"), NO_REPLICAS).draw();
    PodDraft other = pod("v").replicas(RENAMED, 2).on("wide");

    assertThat(pending(due, BUSY, pair)).containsExactly(impossible(2, 2));
    PodView unproven = pod("x").replicas(RENAMED, 2).on("wide").draw();
    assertThat(pending(due, BUSY, pair, unproven, other.startedAt(ago("1h")).draw()))
        .containsExactly(impossible(2, 2));
    List<Due> onWide =
        List.of(
            due(pod("a").replica(RENAMED).on("wide")), due(pod("b").replica(RENAMED).on("wide")));
    assertThat(pending(onWide, BUSY, FULL, pair, pod("v").replicas(RENAMED, 2).on("wide").draw()))
        .containsExactly(impossible(2, 2));
    assertThat(pending(onWide, BUSY, FULL, pair, other.draw()))
        .containsExactly("w: reclaiming: to be reclaimed for it, on wide: Pod ml/a, Pod ml/b");
  }

  /** The kubelet asks the device plugin for each container of its own. */
  @Test
  void servesAPodWithSeveralContainers_whichDevicePluginsDoNotRefuse() {
    Accelerators apart = Accelerators.whole(0).sharing(Map.of(RENAMED, 2)).withSeveral(Set.of());
    List<Due> due =
        List.of(
            due(pod("a").replica(RENAMED).on("renamed")),
            due(pod("b").replica(RENAMED).on("renamed")));
    List<Due> onWide = List.of(due(pod("a").replica(RENAMED).on("wide")));
    PodDraft two = pod("v").accelerators(apart).on("wide").startedAt(ago("1h"));
    PodView pair = pod("w").replicas(RENAMED, 2).waiting(ago("4m"), NO_REPLICAS).draw();

    assertThat(
            pending(due, BUSY, pod("w").accelerators(apart).waiting(ago("4m"), NO_REPLICAS).draw()))
        .singleElement()
        .asString()
        .startsWith("w: enough-free: ");
    assertThat(pending(onWide, BUSY, FULL, two.draw(), pair))
        .as("a pod with several containers proves nothing")
        .containsExactly(impossible(1, 2));
    Accelerators gpus = Accelerators.whole(2).withSeveral(Set.of());
    assertThat(
            pending(
                List.of(
                    due(pod("a").replica(ResourceNames.GPU).on("shared")),
                    due(pod("b").replica(ResourceNames.GPU).on("shared"))),
                BUSY,
                pod("w").accelerators(gpus).waiting(ago("4m")).draw()))
        .containsExactly("w: reclaiming: to be reclaimed for it, on shared: Pod ml/a, Pod ml/b");
  }

  /** It may have started on whole GPUs, before the node was configured to share them. */
  @Test
  void servesNoPodWithSeveralGpus_whereOneStartedOnANodeThatSharesNow() {
    PodView started =
        pod("v").replicas(ResourceNames.GPU, 2).on("shared").startedAt(ago("1h")).draw();

    assertThat(
            pending(
                List.of(due(pod("a").replicas(ResourceNames.GPU, 2).on("shared"))),
                BUSY,
                started,
                pod("w").gpus(2).waiting(ago("4m")).draw()))
        .singleElement()
        .asString()
        .startsWith("w: impossible: ")
        .endsWith(REFUSED);
  }

  @Test
  void servesAPodWithSeveralGpus_whereTheNodeDoesNotShare() {
    List<NodeView> nodes =
        List.of(NODES.getFirst(), node("pair", Map.of(ResourceNames.GPU, 2), Map.of()));
    List<Due> due =
        List.of(
            due(pod("a").replica(ResourceNames.GPU).on("shared")),
            due(pod("b").replica(ResourceNames.GPU).on("shared")),
            due(pod("c").gpus(2).on("pair")));

    assertThat(
            PendingSentences.of(
                due,
                List.of(pod("w").gpus(2).waiting(ago("4m")).draw()),
                nodes,
                SchedulingFacts.NONE))
        .containsExactly("w: reclaiming: to be reclaimed for it, on pair: Pod ml/c");
  }

  /** It may be one GPU or two, but each replica is taken. */
  @Test
  void countsReplicasOfPodsThatAreNotJudged() {
    assertThat(
            pending(
                List.of(),
                BUSY,
                pod("pair").gpus(2).otherAccelerators().on("shared").draw(),
                pod("w").waiting(ago("4m")).draw()))
        .singleElement()
        .asString()
        .startsWith("w: ")
        .doesNotContain("enough GPUs are free");
  }

  @Test
  void countsNoReplica_asAGpuOfTheCluster() {
    assertThat(input(List.of()).gpus()).isEqualTo(1);
  }

  private static String impossible(int idle, int replicas) {
    return "w: impossible: the idle workloads that may be reclaimed for a pending pod now ("
        + idle
        + ") cannot free "
        + replicas
        + " nvidia.com/gpu.shared where it may run"
        + REFUSED;
  }

  private static List<String> pending(List<Due> due, PodView... others) {
    return PLANNER.plan(input(due, others)).pending().stream()
        .map(unit -> unit.name() + ": " + unit.outcome().code() + ": " + unit.sentence())
        .toList();
  }

  private static PlanInput input(List<Due> due, PodView... others) {
    var pods = new ArrayList<PodView>(List.of(others));
    due.forEach(each -> pods.add(each.workload().firstPod()));
    return new PlanInput(
        List.copyOf(due),
        new ClusterView(pods, Map.of(), NODES, Map.of()),
        Map.of(),
        CircuitBreaker.BreakerStatus.CLOSED,
        PlanHistory.none(NOW),
        NOW);
  }

  private static NodeView node(
      String name, Map<String, Integer> devices, Map<String, String> labels) {
    return new NodeView(name, devices, labels, List.of(), true);
  }
}
