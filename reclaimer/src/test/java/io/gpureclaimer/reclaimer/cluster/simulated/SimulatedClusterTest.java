package io.gpureclaimer.reclaimer.cluster.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupId;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize.Minimum;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.DisruptionBudget;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.GpuHolder;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SimulatedClusterTest {
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Map<String, String> WEB = Map.of("app", "web");

  private static final Group GANG = new Group("scheduling.x-k8s.io/pod-group", "gang");

  private final FakeClock clock = new FakeClock();
  private final SimulatedCluster cluster = new SimulatedCluster(clock);

  @BeforeEach
  void addNamespace() {
    cluster.addNamespace("ml", Map.of());
  }

  @Test
  void bindsToTheFirstNodeByNameThatFits() {
    addNode("b", 4);
    addNode("a", 2);
    addNode("c", 4);
    PodRef small = submit("small", 2);
    PodRef large = submit("large", 3);
    cluster.tick();

    assertThat(node(small)).contains("a");
    assertThat(node(large)).contains("b");
  }

  @Test
  void allocatesGpusInTheNodesOrder() {
    addNode("a", 4);
    PodRef first = submit("first", 2);
    PodRef second = submit("second", 1);
    cluster.tick();

    assertThat(cluster.holders())
        .containsExactly(
            new GpuHolder("a", gpu("a", 0), first),
            new GpuHolder("a", gpu("a", 1), first),
            new GpuHolder("a", gpu("a", 2), second));
  }

  @Test
  void bindsTheHigherPriorityFirst_andThenTheOlder() {
    addNode("a", 2);
    PodRef old = submit("old", 1);
    PodRef young = submit("young", 1);
    PodRef important = cluster.submit(PodSpec.bare("ml", "important", 1).withPriority(10));
    cluster.tick();

    assertThat(node(important)).contains("a");
    assertThat(node(old)).contains("a");
    assertThat(node(young)).isEmpty();
  }

  @Test
  void aSmallPodMayPassALargeOneThatWaits() {
    addNode("a", 2);
    PodRef large = submit("large", 4);
    PodRef small = submit("small", 1);
    cluster.tick();

    assertThat(node(large)).isEmpty();
    assertThat(node(small)).contains("a");
  }

  @Test
  void says_whyItFindsNoNode() {
    addNode("full", 1);
    submit("busy", 1);
    cluster.tick();
    cluster.addNode(
        new NodeSpec(
            "tainted",
            gpus("tainted", 8),
            Map.of("gpu", "h100"),
            List.of(new Taint("team", "other", "NoSchedule"))));
    cluster.addNode(new NodeSpec("small", gpus("small", 1), Map.of("gpu", "h100"), List.of()));
    cluster.addNode(
        new NodeSpec("cordoned", gpus("cordoned", 8), Map.of("gpu", "h100"), List.of()));
    cluster.accept("cordoned", false);
    PodRef pod =
        cluster.submit(
            PodSpec.bare("ml", "wants", 2)
                .withPlacement(new Placement(Map.of("gpu", "h100"), List.of(), false)));
    cluster.tick();

    assertThat(view(pod).waiting())
        .contains(
            new Waiting(
                FakeClock.START,
                "0/4 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) didn't match"
                    + " Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s)"
                    + " were unschedulable."));
    assertThat(view(pod).phase()).isEqualTo(PodPhase.PENDING);
  }

  @Test
  void bindsToATaintedNode_whenThePodToleratesIt() {
    cluster.addNode(
        new NodeSpec("a", gpus("a", 1), Map.of(), List.of(new Taint("team", "ml", "NoSchedule"))));
    PodRef pod =
        cluster.submit(
            PodSpec.bare("ml", "train", 1)
                .withPlacement(
                    new Placement(
                        Map.of(), List.of(new Toleration("team", false, "ml", "")), false)));
    cluster.tick();

    assertThat(node(pod)).contains("a");
  }

  @Test
  void bindsNothingToACordonedNode_untilItAcceptsAgain() {
    addNode("a", 1);
    cluster.accept("a", false);
    PodRef pod = submit("train", 1);
    cluster.tick();
    assertThat(node(pod)).isEmpty();

    cluster.accept("a", true);
    cluster.tick();
    assertThat(node(pod)).contains("a");
    assertThat(view(pod).waiting()).isEmpty();
  }

  @Test
  void remembersSinceWhenAPodWaits() {
    addNode("a", 1);
    PodRef pod = submit("large", 2);
    cluster.tick();
    clock.advance(Duration.ofMinutes(5));
    addNode("b", 1);
    cluster.tick();

    assertThat(view(pod).waiting())
        .contains(
            new Waiting(
                FakeClock.START, "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."));
  }

  @Test
  void aPodThatWaitsGetsTheGpu_onceTheEvictedOneHasTerminated() {
    addNode("a", 1);
    PodRef idle = submit("idle", 1);
    cluster.tick();
    PodRef waiting = submit("waiting", 1);
    cluster.tick();

    assertThat(cluster.evict(view(idle), false)).isEqualTo(new ActionResult.Done());
    assertThat(view(idle).terminating()).isTrue();
    clock.advance(GRACE.minusMillis(1));
    cluster.tick();
    assertThat(node(waiting)).isEmpty();

    clock.advance(Duration.ofMillis(1));
    cluster.tick();
    assertThat(cluster.fresh(idle)).isEmpty();
    assertThat(cluster.holders()).containsExactly(new GpuHolder("a", gpu("a", 0), waiting));
  }

  @Test
  void aReplicaSetReplacesAPodUnderANewName_whileTheOldOneTerminates() {
    addNode("a", 2);
    PodRef old = run("web-1", OwnerSpec.OwnerType.REPLICA_SET);
    cluster.delete(old);
    cluster.tick();

    PodView replacement = others(old).getFirst();
    assertThat(view(old).terminating()).isTrue();
    assertThat(replacement.node()).contains("a");
    assertThat(replacement.ref().name()).startsWith("web-").isNotEqualTo(old.name());
    assertThat(replacement.owner())
        .isEqualTo(view(old).owner())
        .map(Owner::toString)
        .contains("ReplicaSet/web");
  }

  @Test
  void aStatefulSetReplacesAPodUnderItsName_onceTheOldOneIsGone() {
    addNode("a", 2);
    PodRef old = run("web-0", OwnerSpec.OwnerType.STATEFUL_SET);
    cluster.delete(old);
    cluster.tick();
    assertThat(others(old)).isEmpty();

    clock.advance(GRACE);
    cluster.tick();
    PodRef now = cluster.view().pods().getFirst().ref();
    assertThat(now.name()).isEqualTo(old.name());
    assertThat(now.uid()).isNotEqualTo(old.uid());
  }

  @Test
  void aReplacementHasTheAnnotationsOfItsTemplate_notWhatWasWrittenLater() {
    addNode("a", 1);
    PodRef old =
        cluster.submit(
            PodSpec.bare("ml", "web-0", 1)
                .withAnnotations(Map.of("kept", "1"))
                .ownedBy(OwnerSpec.OwnerType.STATEFUL_SET, "web"));
    cluster.tick();
    var _ = cluster.annotate(view(old), Map.of("written", Optional.of("2")));
    cluster.delete(old);
    clock.advance(GRACE);
    cluster.tick();

    assertThat(cluster.view().pods().getFirst().annotations()).isEqualTo(Map.of("kept", "1"));
  }

  @Test
  void aBarePodIsNotReplaced() {
    addNode("a", 1);
    PodRef pod = submit("bare", 1);
    cluster.tick();
    cluster.delete(pod);
    clock.advance(GRACE);
    cluster.tick();
    cluster.tick();

    assertThat(cluster.view().pods()).isEmpty();
  }

  @Test
  void nothingComesBack_onceTheOwnerIsDeleted() {
    addNode("a", 2);
    PodRef pod = run("web-1", OwnerSpec.OwnerType.REPLICA_SET);
    cluster.delete(pod);
    cluster.deleteOwner("ml", new OwnerSpec(OwnerSpec.OwnerType.REPLICA_SET, "web"));
    clock.advance(GRACE);
    cluster.tick();
    cluster.tick();

    assertThat(cluster.view().pods()).isEmpty();
  }

  @Test
  void aPodWithoutNodeIsGoneAtOnce() {
    PodRef pod = submit("pending", 1);
    cluster.tick();
    cluster.delete(pod);

    assertThat(cluster.fresh(pod)).isEmpty();
  }

  @Test
  void aBudgetLetsGoAsManyAsItCanSpare() {
    addNode("a", 3);
    List<PodRef> pods = runThree();
    guard("pdb", 2);
    cluster.tick();

    assertThat(cluster.evict(view(pods.get(0)), true)).isEqualTo(new ActionResult.DryRun());
    assertThat(cluster.evict(view(pods.get(0)), false)).isEqualTo(new ActionResult.Done());
    assertThat(cluster.evict(view(pods.get(1)), false)).isInstanceOf(ActionResult.Blocked.class);
  }

  @Test
  void aBudgetIsJudgedBeforeThePreconditions() {
    addNode("a", 3);
    PodView before = view(runThree().getFirst());
    var _ = cluster.annotate(before, Map.of("a", Optional.of("b")));
    guard("pdb", 3);
    cluster.tick();

    assertThat(cluster.evict(before, false)).isInstanceOf(ActionResult.Blocked.class);
  }

  @Test
  void twoBudgetsOverOnePodAreAnError() {
    addNode("a", 3);
    PodRef pod = runThree().getFirst();
    guard("one", 0);
    guard("two", 0);
    cluster.tick();

    assertThat(cluster.evict(view(pod), false))
        .isEqualTo(
            ActionResult.refused(
                500,
                "This pod has more than one PodDisruptionBudget, which the eviction subresource"
                    + " does not support."));
  }

  @Test
  void aBudgetDoesNotGuardPodsThatDoNotRun() {
    PodRef pod = cluster.submit(PodSpec.bare("ml", "web-0", 1).withLabels(WEB));
    guard("pdb", 1);
    cluster.tick();

    assertThat(cluster.evict(view(pod), false)).isEqualTo(new ActionResult.Done());
  }

  @Test
  void aRemovedBudgetGuardsNothing() {
    addNode("a", 3);
    PodRef pod = runThree().getFirst();
    guard("pdb", 3);
    cluster.removeBudget("ml", "pdb");

    assertThat(cluster.evict(view(pod), false)).isEqualTo(new ActionResult.Done());
  }

  @Test
  void evictingATerminatingPodAgainChangesNothing() {
    addNode("a", 1);
    PodRef pod = submit("train", 1);
    cluster.tick();
    cluster.delete(pod);
    PodView terminating = view(pod);

    assertThat(cluster.evict(terminating, false)).isEqualTo(new ActionResult.Done());
    assertThat(view(pod)).isEqualTo(terminating);
  }

  @Test
  void aTickThatChangesNothingMakesNoNewVersions() {
    addNode("a", 1);
    submit("train", 1);
    submit("waits", 1);
    cluster.tick();
    ClusterView before = cluster.view();
    clock.advance(Duration.ofMinutes(1));
    cluster.tick();

    assertThat(cluster.view()).isEqualTo(before);
  }

  @Test
  void anAnnotationThatIsThereAlreadyMakesNoNewVersion() {
    PodRef pod = cluster.submit(PodSpec.bare("ml", "a", 1).withAnnotations(Map.of("k", "v")));
    PodView before = view(pod);
    var _ = cluster.annotate(before, Map.of("k", Optional.of("v")));

    assertThat(view(pod)).isEqualTo(before);
  }

  @Test
  void changesAnnotationsOfANamespace() {
    cluster.annotateNamespace("ml", Map.of("a", Optional.of("1"), "b", Optional.of("2")));
    cluster.annotateNamespace("ml", Map.of("a", Optional.empty()));

    assertThat(cluster.view().namespaces())
        .isEqualTo(Map.of("ml", new NamespaceView("ml", Map.of("b", "2"))));
  }

  @Test
  void acceptsAgain_whenARefusalEnds() {
    PodRef pod = submit("train", 1);
    cluster.refuse(ApiVerb.EVICT_POD, 403, "no");
    cluster.allow(ApiVerb.EVICT_POD);

    assertThat(cluster.evict(view(pod), true)).isEqualTo(new ActionResult.DryRun());
  }

  @Test
  void refusesAPodInANamespaceThatDoesNotExist() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.submit(PodSpec.bare("elsewhere", "a", 1)))
        .withMessage("namespace elsewhere does not exist");
  }

  @Test
  void refusesASecondPodOfTheSameName() {
    submit("a", 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> submit("a", 1))
        .withMessage("pod ml/a already exists");
  }

  private void addNode(String name, int gpus) {
    cluster.addNode(NodeSpec.of(name, gpus(name, gpus)));
  }

  private static List<GpuUuid> gpus(String node, int count) {
    return IntStream.range(0, count).mapToObj(index -> gpu(node, index)).toList();
  }

  /** Two of three pods would fit; the pod that came later gets its turn. */
  @Test
  void aGroupIsBoundTogether_orNotAtAll() {
    addNode("a", 2);
    cluster.addPodGroup("ml", GANG, 3);
    List<PodRef> gang = submitGang(3);
    PodRef single = submit("single", 1);
    cluster.tick();

    assertThat(gang).allSatisfy(pod -> assertThat(node(pod)).isEmpty());
    assertThat(gang)
        .allSatisfy(
            pod ->
                assertThat(view(pod).waiting().orElseThrow().message())
                    .isEqualTo("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."));
    assertThat(node(single)).hasValue("a");
    assertThat(cluster.view().scheduling().groups())
        .isEqualTo(Map.of(new GroupId("ml", GANG), new GroupSize(new Minimum.Known(3), 3, 0, 0)));

    addNode("b", 2);
    cluster.tick();
    assertThat(gang.stream().map(this::node).map(Optional::orElseThrow))
        .containsExactly("a", "b", "b");
    assertThat(cluster.view().scheduling().groups()).isEmpty();
  }

  @Test
  void aGroupWithMissingPodsWaits_andAPodAboveItsMinimumIsBoundLater() {
    addNode("a", 2);
    cluster.addPodGroup("ml", GANG, 2);
    PodRef first = submitGang(1).getFirst();
    cluster.tick();
    assertThat(node(first)).isEmpty();

    PodRef second = cluster.submit(PodSpec.bare("ml", "gang-1", 1).in(GANG));
    PodRef third = cluster.submit(PodSpec.bare("ml", "gang-2", 1).in(GANG));
    cluster.tick();
    assertThat(List.of(first, second)).map(this::node).containsOnly(Optional.of("a"));
    assertThat(node(third)).isEmpty();

    addNode("b", 1);
    cluster.tick();
    assertThat(node(third)).hasValue("b");
  }

  /**
   * Where nodes have CPU, the message says what the pod lacks that finds none beside the others.
   */
  @Test
  void aGroupThatLacksCpuHasThatMessage() {
    cluster.addNode(
        new NodeSpec(
            "a",
            List.of(gpu("a", 0), gpu("a", 1)),
            Map.of(),
            List.of(),
            Optional.of(ComputeResources.ofMib(10_000, 10_000))));
    cluster.addPodGroup("ml", GANG, 2);
    List<PodRef> gang =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    cluster.submit(
                        PodSpec.bare("ml", "gang-" + i, 1)
                            .in(GANG)
                            .withRequests(ComputeResources.ofMib(6_000, 1_000))))
            .toList();
    cluster.tick();

    assertThat(gang)
        .allSatisfy(
            pod ->
                assertThat(view(pod).waiting().orElseThrow().message())
                    .isEqualTo("0/1 nodes are available: 1 Insufficient cpu."));
  }

  private List<PodRef> submitGang(int pods) {
    return IntStream.range(0, pods)
        .mapToObj(i -> cluster.submit(PodSpec.bare("ml", "gang-" + i, 1).in(GANG)))
        .toList();
  }

  private static GpuUuid gpu(String node, int index) {
    return new GpuUuid("GPU-" + node + "-" + index);
  }

  private PodRef submit(String name, int gpus) {
    return cluster.submit(PodSpec.bare("ml", name, gpus));
  }

  private PodRef run(String name, OwnerSpec.OwnerType kind) {
    PodRef pod = cluster.submit(PodSpec.bare("ml", name, 1).ownedBy(kind, "web"));
    cluster.tick();
    return pod;
  }

  private List<PodRef> runThree() {
    List<PodRef> pods =
        IntStream.range(0, 3)
            .mapToObj(i -> cluster.submit(PodSpec.bare("ml", "web-" + i, 1).withLabels(WEB)))
            .toList();
    cluster.tick();
    return pods;
  }

  private void guard(String name, int minAvailable) {
    cluster.addBudget(new DisruptionBudget("ml", name, WEB, minAvailable));
  }

  private PodView view(PodRef pod) {
    return cluster.fresh(pod).orElseThrow();
  }

  private Optional<String> node(PodRef pod) {
    return view(pod).node();
  }

  private List<PodView> others(PodRef pod) {
    return cluster.view().pods().stream().filter(view -> !view.ref().equals(pod)).toList();
  }
}
