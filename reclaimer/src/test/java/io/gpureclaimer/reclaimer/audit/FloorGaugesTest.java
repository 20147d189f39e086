package io.gpureclaimer.reclaimer.audit;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.plan.ActionBudgets;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker.BreakerStatus;
import io.gpureclaimer.reclaimer.plan.FreeGpuFloor;
import io.gpureclaimer.reclaimer.plan.PlanHistory;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FloorGaugesTest {
  private static final NodeView NODE =
      new NodeView(
          "node-1",
          Map.of(ResourceNames.GPU, 8, "nvidia.com/mig-1g.10gb", 5),
          Map.of("cpu", 64_000L),
          Map.of(NodeView.PRODUCT, "NVIDIA-H100-80GB-HBM3"),
          List.of(),
          true,
          false);

  @Test
  void countsDevicesInWholeBlocks_andThoseThatAreStranded() {
    var limits =
        new PlanLimits(
            ActionBudgets.perPlan(9),
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            Stream.of("1x2xH100", "2x2xH100:mig-1g.10gb", "1xL4")
                .flatMap(text -> FreeGpuFloor.parse(text).stream())
                .toList(),
            Optional.empty());
    var pods =
        List.of(
            pod("a").gpus(2).requests(Map.of("cpu", 30_000L)).draw(),
            pod("b").slices("1g.10gb", 1).draw());
    var input =
        new PlanInput(
            List.of(),
            new ClusterView(pods, Map.of(), List.of(NODE), Map.of()),
            Map.of(),
            BreakerStatus.CLOSED,
            PlanHistory.none(NOW),
            NOW);

    assertThat(
            FloorGauges.of(new Planner(limits).plan(input).floors()).stream()
                .flatMap(family -> family.samples.stream())
                .map(
                    sample ->
                        sample.name.replace("gpu_reclaimer_keep_free_", "")
                            + sample.labelValues
                            + " "
                            + (int) sample.value))
        .containsExactly(
            "gpus[H100] 2",
            "gpus[H100:mig-1g.10gb] 4",
            "gpus[L4] 1",
            "available_gpus[H100] 2",
            "available_gpus[H100:mig-1g.10gb] 4",
            "stranded_gpus[H100] 4",
            "stranded_gpus[H100:mig-1g.10gb] 0",
            "nodes[H100] 1",
            "nodes[H100:mig-1g.10gb] 1",
            "nodes[L4] 0");
  }
}
