package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.plan.ActionBudgets;
import io.gpureclaimer.reclaimer.plan.FreeGpuFloor;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A floor of free GPUs through whole cycles. */
class FloorCycleTest {
  static final PlanLimits LIMITS =
      new PlanLimits(
          ActionBudgets.perPlan(2),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          List.of(new FreeGpuFloor("H100", 3, 1)));

  private final SmallCluster world =
      SmallCluster.withLabel("on-demand", "nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3");
  private final InMemoryReplica replica = InMemoryReplica.leading("replica-1", world, LIMITS);

  @Test
  void warnsAndEvicts_soThatGpusAreFree_andSaysWhy() {
    PodRef busy = world.pod("busy", 6);
    PodRef idle = world.pod("train-0");
    world.agents.work(busy);
    pass(SmallCluster.UNTIL_WARNED);

    assertThat(world.isEvicted(idle)).isFalse();
    assertThat(world.lastMessage())
        .contains(" if a pending pod needs its GPU, or to keep 3 H100 free (action ");

    pass(SmallCluster.GRACE.plusMinutes(1));

    assertThat(world.isEvicted(idle)).isTrue();
    assertThat(world.messages())
        .filteredOn(message -> message.startsWith("Evicted"))
        .singleElement()
        .asString()
        .contains(" The reason is to keep 3 H100 free (1 free). ");
    assertThat(world.cluster.view().reclamations().orElseThrow())
        .singleElement()
        .satisfies(
            record ->
                assertThat(record.status().orElseThrow().evidence())
                    .contains("; to keep 3 H100 free (1 free)"));
  }

  @Test
  void evictsNothing_whenGpusBecomeFreeBeforeTheAction() {
    PodRef busy = world.pod("busy", 4);
    PodRef other = world.pod("other", 2);
    PodRef idle = world.pod("train-0");
    world.agents.work(busy);
    world.agents.work(other);
    pass(SmallCluster.UNTIL_WARNED);
    world.pass(SmallCluster.GRACE);
    var planned = replica.cycle().plan();
    assertThat(planned.plan().entries())
        .extracting(entry -> entry.step().name())
        .containsExactly("evict");
    world.cluster.delete(other);
    world.cluster.tick();

    assertThat(replica.cycle().act(planned, _ -> {}).results())
        .extracting(StepResult::sentence)
        .containsExactly("spared: 3 H100 are free now");
    assertThat(world.isEvicted(idle)).isFalse();
  }

  private void pass(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minusMinutes(1)) {
      world.pass(Duration.ofMinutes(1));
      var _ = replica.run();
    }
  }
}
