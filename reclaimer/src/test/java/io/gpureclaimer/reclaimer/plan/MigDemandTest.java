package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.plan.PendingSentences.due;
import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.plan.Planner.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pending pods that request MIG instances: the scheduler counts each profile like GPUs. */
class MigDemandTest {
  private static final Planner PLANNER = new Planner(new PlanLimits(9, Duration.ofSeconds(30)));
  private static final String SMALL = "1g.10gb";
  private static final String LARGE = "3g.40gb";
  private static final List<NodeView> NODES =
      List.of(
          node("node-1", Map.of(resource(SMALL), 2, resource(LARGE), 1, ResourceNames.GPU, 1)),
          node("node-2", Map.of(resource(SMALL), 1)));

  private PlanHistory history = PlanHistory.none(NOW);

  @Test
  void servesAPod_byAWorkloadWithInstancesOfItsProfile() {
    assertThat(
            pending(
                List.of(
                    due(pod("a").slices(LARGE, 1).on("node-1")),
                    due(pod("b").gpus(1).on("node-1")),
                    due(pod("c").slices(SMALL, 2).on("node-1"))),
                waiting("w", SMALL, 2)))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/c");
  }

  @Test
  void frees_onlyWhatIsMissing() {
    assertThat(
            pending(
                List.of(
                    due(pod("a").slices(SMALL, 1).on("node-1")),
                    due(pod("b").slices(SMALL, 1).on("node-2"))),
                waiting("v", SMALL, 2),
                waiting("w", SMALL, 1)))
        .containsExactly(
            "v: reclaiming: to be reclaimed for it, on node-1: Pod ml/a",
            "w: reclaiming: to be reclaimed for it, on node-2: Pod ml/b");
  }

  @Test
  void takesNothing_whereAnInstanceIsFree_orOthersAreHeld() {
    assertThat(
            pending(List.of(due(pod("a").slices(SMALL, 2).on("node-1"))), waiting("w", SMALL, 1)))
        .containsExactly("w: enough-free: enough devices are free on node-2 already");
    assertThat(
            pending(
                List.of(due(pod("a").slices(LARGE, 1).on("node-1"))),
                pod("b").slices(SMALL, 2).on("node-1").draw(),
                pod("c").slices(SMALL, 1).on("node-2").draw(),
                waiting("w", SMALL, 1)))
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (1) cannot"
                + " free 1 nvidia.com/mig-1g.10gb where it may run");
  }

  /** What a victim has beside what was missing is free for others. */
  @Test
  void countsAllThatAVictimLeaves() {
    assertThat(
            pending(
                List.of(due(pod("a").slices(LARGE, 1).gpus(1).on("node-1"))),
                waiting("v", LARGE, 1),
                pod("w").gpus(1).waiting(ago("4m")).draw()))
        .containsExactly(
            "v: reclaiming: to be reclaimed for it, on node-1: Pod ml/a",
            "w: enough-free: enough GPUs are free on node-1 already");
  }

  @Test
  void servesAGroup_whoseMembersRequestDifferentResources_orNone() {
    Due gpu = due(pod("a").gpus(1).on("node-1"));
    Due instance = due(pod("b").slices(LARGE, 1).on("node-1"));
    PodView[] group = {
      pod("leader").in("train").gpus(1).waiting(ago("4m")).draw(),
      waiting(pod("worker").in("train"), LARGE, 1)
    };

    assertThat(pending(List.of(gpu, instance), group))
        .containsExactly(
            "train (group), 2 pods: reclaiming: to be reclaimed for it, on node-1: Pod ml/a, Pod"
                + " ml/b");
    PodView busy = pod("b").slices(LARGE, 1).on("node-1").draw();
    assertThat(pending(List.of(gpu), group[0], group[1], busy))
        .singleElement()
        .asString()
        .contains("impossible", "cannot free 1 GPU and 1 nvidia.com/mig-3g.40gb");
  }

  /** Under the MIG strategy "single", pods request instances as GPUs. */
  @Test
  void servesAPodThatRequestsAGpu_byAnInstanceOfADividedNode() {
    NodeView divided =
        new NodeView(
            "divided",
            Map.of("nvidia.com/gpu", 2),
            Map.of(NodeView.PRODUCT, "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"),
            List.of(),
            true);
    Due instance = due(pod("a").onDividedGpus("1g.5gb").on("divided"));
    PodView busy = pod("busy").onDividedGpus("1g.5gb").on("divided").draw();

    assertThat(
            PendingSentences.of(
                List.of(instance),
                List.of(busy, pod("w").waiting(ago("4m")).draw()),
                List.of(divided),
                SchedulingFacts.NONE))
        .containsExactly("w: reclaiming: to be reclaimed for it, on divided: Pod ml/a");
    assertThat(
            PendingSentences.of(
                List.of(),
                List.of(busy, pod("w").waiting(ago("4m")).draw()),
                List.of(divided),
                SchedulingFacts.NONE))
        .containsExactly("w: enough-free: enough GPUs are free on divided already");
  }

  @Test
  void saysWhichRequestsAreNotServed() {
    String claim = "0/2 nodes are available: 2 cannot allocate all claims.";
    assertThat(
            pending(
                List.of(),
                pod("b").slices(SMALL, 1).otherAccelerators().waiting(ago("4m")).draw(),
                pod("c").gpus(0).claimed(new Claimed.Devices(1)).waiting(ago("4m"), claim).draw(),
                pod("d")
                    .gpus(0)
                    .claimed(new Claimed.Unread("its claim does not exist"))
                    .waiting(ago("4m"), claim)
                    .draw(),
                pod("e").slices(SMALL, 1).waiting(ago("4m")).draw()))
        .containsExactly(
            "b: needs-more: the pod requests other accelerators, and pods that hold such are not"
                + " judged",
            "c: needs-more: the pod has resource claims that are not known, or that request more than a"
                + " number of devices by class and selectors",
            "d: needs-more: the pod has resource claims that are not known, or that request more than a"
                + " number of devices by class and selectors",
            "e: needs-more: free devices may not be all that it lacks; the scheduler says: 0/3"
                + " nodes are available: 3 Insufficient nvidia.com/gpu.");
  }

  @Test
  void servesItAgain_onlyWhenOthersTookTheInstance() {
    Due gone = due(pod("a").slices(LARGE, 1).on("node-1"));
    PodView waiting = waiting("w", LARGE, 1);
    Step.Act act =
        plan(List.of(gone), waiting).entries().stream()
            .map(PlanEntry::step)
            .filter(Step.Act.class::isInstance)
            .map(Step.Act.class::cast)
            .findFirst()
            .orElseThrow();
    PlanHistory freed = history.after(act, input(List.of(gone), waiting), PLANNER.limits(), NOW);
    PodView other = pod("o").slices(LARGE, 1).on("node-1").draw();
    PodView elsewhere = pod("o").slices(SMALL, 2).on("node-1").draw();

    assertThat(overtaken(freed, waiting, elsewhere)).isEmpty();
    assertThat(overtaken(freed, waiting, other)).containsExactly("w");
  }

  private static List<String> overtaken(PlanHistory freed, PodView... pods) {
    var view = new ClusterView(List.of(pods), Map.of(), NODES, Map.of());
    return freed.followUps(view, PLANNER.limits(), NOW).found().stream()
        .filter(PlanHistory.FollowUp.TakenByOthers.class::isInstance)
        .map(PlanHistory.FollowUp.TakenByOthers.class::cast)
        .map(each -> each.pod().name())
        .toList();
  }

  private List<String> pending(List<Due> due, PodView... others) {
    return plan(due, others).pending().stream()
        .map(unit -> unit.name() + ": " + unit.outcome().code() + ": " + unit.sentence())
        .toList();
  }

  private Planner.Plan plan(List<Due> due, PodView... others) {
    return PLANNER.plan(input(due, others));
  }

  private PlanInput input(List<Due> due, PodView... others) {
    var pods = new ArrayList<PodView>(List.of(others));
    due.forEach(each -> pods.add(each.workload().firstPod()));
    return new PlanInput(
        List.copyOf(due),
        new ClusterView(pods, Map.of(), NODES, Map.of()),
        Map.of(),
        CircuitBreaker.BreakerStatus.CLOSED,
        history,
        NOW);
  }

  private static String resource(String profile) {
    return ResourceNames.MIG_PREFIX + profile;
  }

  private static NodeView node(String name, Map<String, Integer> devices) {
    return new NodeView(name, devices, Map.of(), List.of(), true);
  }

  private static PodView waiting(String name, String profile, int count) {
    return waiting(pod(name), profile, count);
  }

  private static PodView waiting(PodDraft draft, String profile, int count) {
    return draft
        .slices(profile, count)
        .waiting(ago("4m"), "0/2 nodes are available: 2 Insufficient " + resource(profile) + ".")
        .draw();
  }
}
