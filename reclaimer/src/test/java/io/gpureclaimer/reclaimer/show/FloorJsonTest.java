package io.gpureclaimer.reclaimer.show;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.plan.ActionBudgets;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker.BreakerStatus;
import io.gpureclaimer.reclaimer.plan.FloorStatus;
import io.gpureclaimer.reclaimer.plan.FreeGpuFloor;
import io.gpureclaimer.reclaimer.plan.PlanHistory;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.show.PlanJson.FloorJson;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FloorJsonTest {

  @Test
  void hasWhatDoesNotCount_andWhy() {
    var node =
        new NodeView(
            "node-1",
            Map.of(ResourceNames.GPU, 8),
            Map.of("cpu", 64_000L),
            Map.of(NodeView.PRODUCT, "NVIDIA-H100-80GB-HBM3"),
            List.of(),
            true,
            false);
    var busy = pod("busy").requests(Map.of("cpu", 24_000L)).draw();
    var limits =
        new PlanLimits(
            ActionBudgets.perPlan(9),
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            List.of(new FreeGpuFloor("H100", 2, 1)),
            Optional.empty());
    FloorStatus status =
        new Planner(limits)
            .plan(
                new PlanInput(
                    List.of(),
                    new ClusterView(List.of(busy), Map.of(), List.of(node), Map.of()),
                    Map.of(),
                    BreakerStatus.CLOSED,
                    PlanHistory.none(NOW),
                    NOW))
            .floors()
            .getFirst();

    assertThat(FloorJson.of(status))
        .isEqualTo(
            new FloorJson(
                "H100",
                ResourceNames.GPU,
                2,
                1,
                1,
                Map.of("cpu", "24"),
                Optional.of(1),
                Optional.of(6),
                List.of("cpu"),
                Optional.of(NOW),
                "impossible",
                "1 of 2 free; 6 not counted, where less is left than a usual pod requests (cpu 24);"
                    + " no idle workload may be reclaimed on demand now"));
  }
}
