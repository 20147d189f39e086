package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Fragmentation.Pool;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Free GPUs by pool, and how many of them pods of each shape cannot use. */
class FragmentationTest {
  private static final String PRODUCT = "nvidia.com/gpu.product";

  @Test
  void countsFreeGpusOnNodesWithTooFewOfThem() {
    Fragmentation found =
        of(
            List.of(node("a", "H100", true), node("b", "H100", true), node("c", "H100", true)),
            pod("one").gpus(1).on("a").draw(),
            pod("six").gpus(6).on("b").draw(),
            pod("whole").gpus(8).on("c").draw());

    // Free are 7, 2 and 0.
    assertThat(found.pools())
        .containsExactly(new Pool("H100", 9, map(1, 0, 6, 2, 8, 9), map(1, 1, 6, 1, 8, 1)));
    assertThat(found.pools().getFirst().fragmented()).isCloseTo((0 + 2 + 9) / 3.0, within(1e-9));
  }

  /** Pending pods are a part of the mix, in the pool that they select or in all. */
  @Test
  void countsPendingPods() {
    Fragmentation found =
        of(
            List.of(node("a", "A100", true), node("h", "H100", true)),
            pod("any").gpus(2).unscheduled().waiting(JudgeScenario.NOW).draw(),
            pod("h100")
                .gpus(4)
                .unscheduled()
                .waiting(JudgeScenario.NOW)
                .placement(new Placement(Map.of(PRODUCT, "H100"), List.of(), false))
                .draw());

    assertThat(found.pools())
        .containsExactly(
            new Pool("A100", 8, map(2, 0), map(2, 1)),
            new Pool("H100", 8, map(2, 0, 4, 0), map(2, 1, 4, 1)));
  }

  @Test
  void leavesOutNodesThatAcceptNoPods_andPodsWithoutWholeGpus() {
    Fragmentation found =
        of(
            List.of(node("a", "H100", true), node("cordoned", "H100", false)),
            pod("slice").gpus(0).slices("1g.10gb", 1).on("a").draw(),
            pod("four").gpus(4).on("cordoned").draw());

    assertThat(found.pools()).containsExactly(new Pool("H100", 8, map(4, 0), map(4, 1)));
  }

  @Test
  void leavesOutNodesWithoutWholeGpus() {
    Map<String, Integer> instances = Map.of("nvidia.com/mig-1g.10gb", 7);
    NodeView divided = new NodeView("m", instances, Map.of(PRODUCT, "A100"), List.of(), true);

    assertThat(of(List.of(node("a", "H100", true), divided)).pools())
        .containsExactly(new Pool("H100", 8, map(), map()));
  }

  @Test
  void putsNodesWithoutTheLabelIntoAPoolWithoutAName() {
    assertThat(of(List.of(new NodeView("x", 2, Map.of(), List.of(), true))).pools())
        .containsExactly(new Pool("", 2, map(), map()));
  }

  private static Fragmentation of(List<NodeView> nodes, PodView... pods) {
    return Fragmentation.of(new ClusterView(List.of(pods), Map.of(), nodes, Map.of()));
  }

  private static NodeView node(String name, String product, boolean accepting) {
    return new NodeView(name, 8, Map.of(PRODUCT, product), List.of(), accepting);
  }

  private static SortedMap<Integer, Integer> map(Integer... pairs) {
    SortedMap<Integer, Integer> map = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
