package io.gpureclaimer.reclaimer.audit;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.audit.AuditCounters.WholeGpus;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class WholeGpusTest {
  private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");
  private static final Entity ONE = Entity.whole(new GpuUuid("GPU-1"));
  private static final Entity TWO = Entity.whole(new GpuUuid("GPU-2"));
  private static final Entity INSTANCE = Entity.instance(new GpuUuid("GPU-3"), 1);

  @Test
  void countsRequestedDevices_whicheverPodObservesThem() {
    assertThat(held(pod("a").gpus(2), seen(ONE))).isEqualTo(2);
    assertThat(held(pod("a").gpus(2), new Observation.Blind("no answer"))).isEqualTo(2);
  }

  @Test
  void countsClaimedDevices_thatWereObservedAsWholeOnes() {
    assertThat(held(claiming(2), seen(ONE, TWO))).isEqualTo(2);
    assertThat(held(claiming(2), seen(ONE, INSTANCE))).isEqualTo(1);
    assertThat(held(claiming(3).gpus(1), seen(ONE, TWO, INSTANCE))).isEqualTo(2);
  }

  @Test
  void countsNoClaimedDevice_thatWasNotObserved() {
    assertThat(held(claiming(2), seen(ONE))).isEqualTo(1);
    assertThat(held(claiming(2), seen())).isZero();
    assertThat(held(claiming(2), new Observation.Blind("no answer"))).isZero();
  }

  @Test
  void countsAtMostWhatWasClaimed() {
    assertThat(held(claiming(1), seen(ONE, TWO))).isEqualTo(1);
    assertThat(held(pod("a").gpus(0).claimed(new Claimed.Unread("no right")), seen(ONE))).isZero();
  }

  private static int held(PodDraft pod, Observation observation) {
    return WholeGpus.heldBy(new Workload("ml", Optional.empty(), List.of(pod.draw())), observation);
  }

  private static PodDraft claiming(int devices) {
    return pod("a").gpus(0).claimed(new Claimed.Devices(devices));
  }

  private static Observation seen(Entity... devices) {
    List<DeviceActivity> activities =
        Arrays.stream(devices)
            .map(
                device ->
                    new DeviceActivity(
                        device, Optional.empty(), NOW, NOW, NOW, OptionalDouble.empty()))
            .toList();
    return new Observation.Seen(NOW, Map.of("a", new PodActivity("a", activities)), List.of());
  }
}
