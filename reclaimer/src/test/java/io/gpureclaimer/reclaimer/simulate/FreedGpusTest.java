package io.gpureclaimer.reclaimer.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** GPUs that are freed at 100 s, and who uses them. */
class FreedGpusTest {
  private static final GpuUuid FIRST = new GpuUuid("GPU-1");
  private static final GpuUuid SECOND = new GpuUuid("GPU-2");
  private static final GpuUuid THIRD = new GpuUuid("GPU-3");

  private final SimulatedWorkload idle = workload("idle");
  private final SimulatedWorkload unit = workload("unit");
  private final SimulatedWorkload other = workload("other");
  private final FreedGpus freed = new FreedGpus();

  @Test
  void countsWhatTheUnitUses_untilItEnds() {
    free(FIRST, SECOND);
    freed.take(unit, List.of(FIRST), "a", 110);
    freed.release(unit, List.of(FIRST), 150);
    freed.closeAll(200);

    assertThat(freed.unitSeconds()).isEqualTo(2 * 50);
    assertThat(freed.usedByUnitSeconds()).isEqualTo(40);
    assertThat(freed.usedSeconds()).isEqualTo(Map.of("unit", 40L));
    assertThat(freed.freedSeconds()).isEqualTo(2 * 100);
  }

  @Test
  void countsAnotherGpuOfTheSameNode_becauseItIsChanceWhichOneAPodGets() {
    free(FIRST);
    freed.take(other, List.of(FIRST), "a", 100);
    freed.take(unit, List.of(THIRD), "a", 100);
    freed.release(unit, List.of(THIRD), 150);

    assertThat(freed.unitSeconds()).isEqualTo(50);
    assertThat(freed.usedByUnitSeconds()).isEqualTo(50);
  }

  @Test
  void countsNoGpuOfAnotherNode() {
    free(FIRST);
    freed.take(unit, List.of(THIRD), "b", 100);
    freed.release(unit, List.of(THIRD), 150);

    assertThat(freed.unitSeconds()).isEqualTo(50);
    assertThat(freed.usedByUnitSeconds()).isZero();
  }

  @Test
  void countsAtMostTheGpusThatTheUnitHas() {
    free(FIRST, SECOND);
    freed.take(unit, List.of(SECOND), "a", 100);
    freed.closeAll(150);

    assertThat(freed.unitSeconds()).isEqualTo(2 * 50);
    assertThat(freed.usedByUnitSeconds()).isEqualTo(50);
  }

  @Test
  void countsUntilTheUnitEnds_whichNeverRan() {
    free(FIRST);
    freed.endUnit(unit, 130);
    freed.take(other, List.of(FIRST), "a", 150);
    freed.closeAll(200);

    assertThat(freed.unitSeconds()).isEqualTo(30);
    assertThat(freed.usedByUnitSeconds()).isZero();
    assertThat(freed.usedSeconds()).isEqualTo(Map.of("other", 50L));
  }

  @Test
  void countsUntilTheReclaimedWorkloadRunsAgain() {
    free(FIRST);
    freed.take(unit, List.of(FIRST), "a", 100);
    freed.take(idle, List.of(THIRD), "b", 160);
    freed.release(unit, List.of(FIRST), 400);

    assertThat(freed.unitSeconds()).isEqualTo(60);
    assertThat(freed.usedByUnitSeconds()).isEqualTo(60);
  }

  private void free(GpuUuid... devices) {
    freed.free(idle, List.of(devices), "a", Optional.of(unit), 100);
  }

  private static SimulatedWorkload workload(String name) {
    return new SimulatedWorkload(
        new TracedWorkload(
            name,
            name,
            WorkloadKind.TRAINING,
            0,
            1_000,
            1,
            1,
            Set.of(),
            0,
            600,
            ActivityPeriods.NONE));
  }
}
