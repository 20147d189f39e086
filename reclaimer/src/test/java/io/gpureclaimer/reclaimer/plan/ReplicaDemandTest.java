package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.plan.PendingSentences.due;
import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
          node("whole", Map.of(ResourceNames.GPU, 1), Map.of()));

  private static final PodView BUSY = pod("busy").on("whole").draw();

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
    String message = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.shared.";

    assertThat(
            pending(
                due,
                BUSY,
                pod("other").replica(RENAMED).on("renamed").draw(),
                pod("w").replica(RENAMED).waiting(ago("4m"), message).draw()))
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

  /** Whether a device plugin accepts it is known only where it has. */
  @Test
  void servesAPodWithSeveralReplicas_ifAnotherOneHasStarted() {
    List<Due> due =
        List.of(
            due(pod("a").replica(RENAMED).on("renamed")),
            due(pod("b").replica(RENAMED).on("renamed")));
    String message = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.shared.";
    PodView pair = pod("w").replicas(RENAMED, 2).waiting(ago("4m"), message).draw();

    assertThat(pending(due, BUSY, pair))
        .containsExactly(
            "w: needs-more: the pod requests several replicas, which device plugins may refuse"
                + " (failRequestsGreaterThanOne), and no pod with several of them has started");
    PodDraft other = pod("v").replicas(RENAMED, 2).on("elsewhere");
    assertThat(pending(due, BUSY, pair, other.draw()))
        .singleElement()
        .asString()
        .startsWith("w: needs-more: ");
    assertThat(pending(due, BUSY, pair, other.startedAt(ago("1h")).draw()))
        .containsExactly("w: reclaiming: to be reclaimed for it, on renamed: Pod ml/a, Pod ml/b");
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
