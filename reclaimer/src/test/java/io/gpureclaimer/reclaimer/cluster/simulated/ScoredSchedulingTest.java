package io.gpureclaimer.reclaimer.cluster.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods and nodes with CPU and memory, scheduled as by kube-scheduler's default profile. */
class ScoredSchedulingTest {
  private final SimulatedCluster cluster = new SimulatedCluster(Clock.systemUTC());

  @BeforeEach
  void addNamespace() {
    cluster.addNamespace("ml", Map.of());
  }

  @Test
  void binds_whereMoreCpuAndMemoryStayFree() {
    node("a", 4, 16_000, 65_536);
    node("b", 4, 64_000, 262_144);

    assertThat(nodeOf(submit("first", 1, 8_000, 32_768))).hasValue("b");
    assertThat(nodeOf(submit("second", 1, 40_000, 163_840))).hasValue("b");
    assertThat(nodeOf(submit("third", 1, 8_000, 32_768))).hasValue("a");
  }

  @Test
  void binds_whereCpuAndMemoryBecomeMoreBalanced() {
    node("a", 4, 16_000, 65_536);
    node("b", 4, 16_000, 65_536);

    assertThat(nodeOf(submit("memory", 1, 1_000, 32_768))).hasValue("a");
    assertThat(nodeOf(submit("even", 1, 8_000, 32_768))).hasValue("b");
    assertThat(nodeOf(submit("cpu", 1, 7_000, 1_024))).hasValue("a");
  }

  @Test
  void spreadsPodsWithoutRequests() {
    node("a", 4, 16_000, 65_536);
    node("b", 4, 16_000, 65_536);

    assertThat(List.of(submit("first", 1, 0, 0), submit("second", 1, 0, 0)))
        .map(this::nodeOf)
        .containsExactly(Optional.of("a"), Optional.of("b"));
  }

  @Test
  void pends_whenCpuIsInsufficient() {
    node("a", 4, 16_000, 65_536);
    node("b", 1, 64_000, 65_536);
    submit("large", 2, 10_000, 1_024);
    PodRef pending = submit("pending", 2, 10_000, 1_024);

    assertThat(nodeOf(pending)).isEmpty();
    assertThat(view(pending).waiting().map(Waiting::message))
        .hasValue("0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient nvidia.com/gpu.");
  }

  @Test
  void answersAgain_whenOtherResourcesBecomeInsufficient() {
    node("a", 4, 16_000, 65_536);
    submit("large", 2, 10_000, 1_024);
    PodRef pending = submit("pending", 2, 10_000, 1_024);
    submit("without-cpu", 2, 0, 0);

    assertThat(view(pending).waiting().map(Waiting::message))
        .hasValue("0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient nvidia.com/gpu.");
  }

  /** Of 200 nodes, 100 that fit are enough; the next search begins behind them. */
  @Test
  void scoresAPartOfALargeCluster_inTurn() {
    IntStream.range(0, 200)
        .forEach(
            node ->
                node(
                    String.format(Locale.ROOT, "node-%03d", node),
                    1,
                    node == 150 ? 64_000 : 16_000,
                    65_536));

    assertThat(nodeOf(submit("first", 1, 1_000, 1_024)).orElseThrow()).isLessThan("node-100");
    assertThat(nodeOf(submit("second", 1, 1_000, 1_024))).hasValue("node-150");
  }

  private void node(String name, int gpus, long cpuMillis, long memoryMib) {
    cluster.addNode(
        new NodeSpec(
            name,
            IntStream.range(0, gpus).mapToObj(gpu -> new GpuUuid(name + "-" + gpu)).toList(),
            Map.of(),
            List.of(),
            Optional.of(ComputeResources.ofMib(cpuMillis, memoryMib))));
  }

  private PodRef submit(String name, int gpus, long cpuMillis, long memoryMib) {
    PodRef pod =
        cluster.submit(
            PodSpec.bare("ml", name, gpus)
                .withRequests(ComputeResources.ofMib(cpuMillis, memoryMib)));
    cluster.tick();
    return pod;
  }

  private Optional<String> nodeOf(PodRef pod) {
    return view(pod).node();
  }

  private PodView view(PodRef pod) {
    return cluster.fresh(pod).orElseThrow();
  }
}
