package io.gpureclaimer.reclaimer.audit;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Gauges of free GPUs and MIG devices. */
class FragmentationGaugesTest {
  private static final Map<String, String> A100 = Map.of("nvidia.com/gpu.product", "A100");

  @Test
  void separatesWholeGpusFromMigDevicesOfEachProfile() {
    var mixed =
        new NodeView(
            "a", Map.of("nvidia.com/gpu", 4, "nvidia.com/mig-1g.10gb", 7), A100, List.of(), true);
    var cluster =
        new ClusterView(
            List.of(
                pod("gpu").gpus(3).on("a").draw(),
                pod("held").slices("1g.10gb", 5).on("a").draw(),
                pod("waits").slices("1g.10gb", 1).waiting(NOW).draw()),
            Map.of(),
            List.of(mixed),
            Map.of());

    assertThat(samples(cluster))
        .containsExactly(
            "gpu_cluster_free_gpus [A100] 1.0",
            "gpu_cluster_stranded_gpus [A100, 3] 1.0",
            "gpu_cluster_fragmentation_ratio [A100, 3] 1.0",
            "gpu_cluster_fragmentation_ratio [A100, mix] 1.0",
            "gpu_cluster_free_mig_devices [A100, 1g.10gb] 2.0",
            "gpu_cluster_stranded_mig_devices [A100, 1g.10gb, 1] 0.0",
            "gpu_cluster_stranded_mig_devices [A100, 1g.10gb, 5] 2.0",
            "gpu_cluster_mig_fragmentation_ratio [A100, 1g.10gb, 1] 0.0",
            "gpu_cluster_mig_fragmentation_ratio [A100, 1g.10gb, 5] 1.0",
            "gpu_cluster_mig_fragmentation_ratio [A100, 1g.10gb, mix] 0.5");
  }

  @Test
  void countsMigDevicesOfBothStrategies_inOnePool() {
    Map<String, String> divided = Map.of("nvidia.com/gpu.product", "A100-MIG-1g.10gb");
    var cluster =
        new ClusterView(
            List.of(pod("held").gpus(5).onDividedGpus("1g.10gb").on("s").draw()),
            Map.of(),
            List.of(
                new NodeView("s", 7, divided, List.of(), true),
                new NodeView("m", Map.of("nvidia.com/mig-1g.10gb", 1), A100, List.of(), true)),
            Map.of());

    assertThat(samples(cluster))
        .containsExactly(
            "gpu_cluster_free_mig_devices [A100, 1g.10gb] 3.0",
            "gpu_cluster_stranded_mig_devices [A100, 1g.10gb, 5] 3.0",
            "gpu_cluster_mig_fragmentation_ratio [A100, 1g.10gb, 5] 1.0",
            "gpu_cluster_mig_fragmentation_ratio [A100, 1g.10gb, mix] 1.0");
  }

  @Test
  void reportsNoShare_whereNothingIsFree() {
    var node = new NodeView("a", Map.of("nvidia.com/mig-1g.10gb", 1), A100, List.of(), true);
    var cluster =
        new ClusterView(
            List.of(pod("held").slices("1g.10gb", 1).on("a").draw()),
            Map.of(),
            List.of(node),
            Map.of());

    assertThat(samples(cluster))
        .containsExactly(
            "gpu_cluster_free_mig_devices [A100, 1g.10gb] 0.0",
            "gpu_cluster_stranded_mig_devices [A100, 1g.10gb, 1] 0.0");
  }

  private static List<String> samples(ClusterView cluster) {
    return FragmentationGauges.of(cluster).stream()
        .flatMap(family -> family.samples.stream())
        .map(sample -> sample.name + " " + sample.labelValues + " " + sample.value)
        .toList();
  }
}
