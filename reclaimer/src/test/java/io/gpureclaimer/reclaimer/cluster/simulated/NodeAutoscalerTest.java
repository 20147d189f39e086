package io.gpureclaimer.reclaimer.cluster.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.cluster.simulated.AutoscalerSpec.NodePool;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeAutoscalerTest {
  private static final Duration STARTUP = Duration.ofMinutes(5);
  private static final Duration IDLE = Duration.ofMinutes(10);

  private final FakeClock clock = new FakeClock();
  private final SimulatedCluster cluster = new SimulatedCluster(clock);

  @BeforeEach
  void addNamespace() {
    cluster.addNamespace("ml", Map.of());
  }

  @Test
  void addsOneNodeForAllPodsThatFitOnIt_andSaysSoOnce() {
    autoscale(pool("large", 4, 0, 8));
    List<PodRef> pods = List.of(submit("a", 2), submit("b", 1), submit("c", 1));
    Instant decided = clock.instant();
    step();
    clock.advance(STARTUP.minusSeconds(10));
    assertThat(step()).isEmpty();

    assertThat(pods)
        .allSatisfy(
            pod ->
                assertThat(cluster.view().scheduling().of(pod))
                    .containsExactly(
                        new ProvisioningNotice("Cluster Autoscaler", true, decided, decided)));
    assertThat(cluster.nextScaling()).hasValue(decided.plus(STARTUP));

    clock.advance(Duration.ofSeconds(10));
    assertThat(step()).containsExactly("large-1");
    assertThat(pods).map(this::node).containsOnly(Optional.of("large-1"));
    assertThat(cluster.view().scheduling().announcements()).isEmpty();
  }

  /** A pod of four GPUs leaves two of six unused, and none of eight. */
  @Test
  void choosesThePoolThatLeavesFewestGpusUnused() {
    autoscale(pool("six", 6, 0, 8), pool("eight", 8, 0, 8));
    submit("four", 4);
    submit("six", 6);
    step();
    clock.advance(STARTUP);

    assertThat(step()).containsExactlyInAnyOrder("eight-1", "six-2");
  }

  @Test
  void refuses_whenThePoolIsFull_orNoNodeWouldFit() {
    autoscale(pool("small", 2, 0, 1));
    PodRef first = submit("first", 2);
    PodRef second = submit("second", 2);
    PodRef large = submit("large", 4);
    step();

    assertThat(List.of(first, second, large))
        .map(this::isPromised)
        .containsExactly(true, false, false);
    clock.advance(STARTUP);
    assertThat(step()).containsExactly("small-1");
    assertThat(node(first)).hasValue("small-1");
    assertThat(cluster.nextScaling()).isEmpty();
  }

  /** A node that was announced for a deleted pod is announced for the next one. */
  @Test
  void promisesAgain_whenThePoolHasRoomAgain() {
    cluster.addNode(node("static", 2));
    autoscale(pool("small", 2, 0, 1));
    submit("holder", 2);
    cluster.tick();
    PodRef first = submit("first", 2);
    PodRef second = submit("second", 2);
    step();
    assertThat(isPromised(second)).isFalse();

    cluster.delete(first);
    step();
    assertThat(cluster.view().scheduling().of(second))
        .map(ProvisioningNotice::provides)
        .containsExactly(false, true);
  }

  @Test
  void aGroupGetsNodesForAllItsPods_orNone() {
    autoscale(pool("small", 2, 0, 2));
    var gang = new Group("scheduling.x-k8s.io/pod-group", "gang");
    cluster.addPodGroup("ml", gang, 3);
    for (int i = 0; i < 3; i++) {
      cluster.submit(PodSpec.bare("ml", "gang-" + i, 2).in(gang));
    }
    step();
    clock.advance(STARTUP);

    assertThat(step()).isEmpty();
    assertThat(cluster.view().scheduling().announcements().values())
        .hasSize(3)
        .allSatisfy(notices -> assertThat(notices).noneMatch(ProvisioningNotice::provides));
  }

  /** The newest one goes first; a node with a pod, and the least number of nodes, stay. */
  @Test
  void removesNodesThatWereEmptyForLong() {
    cluster.addNode(node("small-a", 2));
    cluster.addNode(node("small-b", 2));
    cluster.addNode(node("small-c", 2));
    cluster.addNode(node("other", 2));
    autoscale(new NodePool(node("small", 2), Set.of("small-a", "small-b", "small-c"), 2, 4));
    step();
    clock.advance(IDLE.minusSeconds(10));
    assertThat(step()).isEmpty();
    assertThat(names()).containsExactly("other", "small-a", "small-b", "small-c");

    clock.advance(Duration.ofSeconds(10));
    step();
    assertThat(names()).containsExactly("other", "small-a", "small-b");
    clock.advance(IDLE.multipliedBy(3));
    step();
    assertThat(names()).containsExactly("other", "small-a", "small-b");
  }

  @Test
  void aNodeIsIdleFromTheEndOfItsLastPod() {
    cluster.addNode(node("small-a", 2));
    autoscale(new NodePool(node("small", 2), Set.of("small-a"), 0, 1));
    PodRef pod = submit("first", 1);
    step();
    clock.advance(IDLE.multipliedBy(2));
    step();
    cluster.delete(pod);
    clock.advance(Duration.ofSeconds(30));
    step();
    clock.advance(IDLE.minusSeconds(10));
    step();
    assertThat(names()).containsExactly("small-a");

    clock.advance(Duration.ofSeconds(10));
    step();
    assertThat(names()).isEmpty();
  }

  @Test
  void addsNothingForAPodThatTheSchedulerServes() {
    autoscale(pool("small", 2, 0, 1));
    submit("first", 2);
    cluster.tick();
    cluster.scale(_ -> true);

    assertThat(cluster.nextScaling()).isEmpty();
  }

  @Test
  void respectsCpuAndMemory() {
    cluster.addNode(
        new NodeSpec(
            "full",
            gpus("full", 4),
            Map.of(),
            List.of(),
            Optional.of(ComputeResources.ofMib(1_000, 1_000))));
    autoscale(
        new NodePool(
            new NodeSpec(
                "new",
                gpus("new", 4),
                Map.of(),
                List.of(),
                Optional.of(ComputeResources.ofMib(8_000, 8_000))),
            Set.of(),
            0,
            1));
    cluster.submit(
        PodSpec.bare("ml", "hungry", 1).withRequests(ComputeResources.ofMib(4_000, 1_000)));
    step();
    clock.advance(STARTUP);

    assertThat(step()).containsExactly("new-1");
  }

  private boolean isPromised(PodRef pod) {
    return cluster.view().scheduling().of(pod).getLast().provides();
  }

  /** One moment, as the simulation plays it; the nodes that were added. */
  private List<String> step() {
    List<String> added = cluster.addReadyNodes().stream().map(NodeSpec::name).toList();
    cluster.tick();
    cluster.scale(_ -> false);
    return added;
  }

  private List<String> names() {
    return cluster.view().nodes().stream().map(NodeView::name).toList();
  }

  private void autoscale(NodePool... pools) {
    cluster.autoscale(new AutoscalerSpec(List.of(pools), STARTUP, IDLE));
  }

  private static NodePool pool(String name, int gpus, int least, int most) {
    return new NodePool(node(name, gpus), Set.of(), least, most);
  }

  private static NodeSpec node(String name, int gpus) {
    return NodeSpec.of(name, gpus(name, gpus));
  }

  private static List<GpuUuid> gpus(String node, int count) {
    return IntStream.range(0, count)
        .mapToObj(gpu -> new GpuUuid("GPU-" + node + "-" + gpu))
        .toList();
  }

  private PodRef submit(String name, int gpus) {
    return cluster.submit(PodSpec.bare("ml", name, gpus));
  }

  private Optional<String> node(PodRef pod) {
    return cluster.fresh(pod).orElseThrow().node();
  }
}
