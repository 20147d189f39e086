package io.gpureclaimer.reclaimer.evidence.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.direct.HardwareParser.MemoryHistory;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryHistoryTest {
  private static final Entity GPU = Entity.whole(new GpuUuid("GPU-1"));
  private static final Instant START = Instant.parse("2026-11-22T06:00:00Z");

  private final MemoryHistory trail = new MemoryHistory();

  @Test
  void knowsNoRise_atTheFirstLook() {
    assertThat(trail.rise(GPU, 1_000)).isEmpty();
  }

  @Test
  void reportsTheRise_sinceTheLeastOfTheLastMinutes() {
    remember(0, 1_000);
    remember(60, 400);
    remember(120, 900);

    assertThat(trail.rise(GPU, 1_200)).hasValue(800);
  }

  @Test
  void forgetsWhatIsOld() {
    remember(0, 400);
    remember(300, 1_000);
    assertThat(trail.rise(GPU, 1_000)).hasValue(600);

    remember(600, 1_000);
    assertThat(trail.rise(GPU, 1_000)).hasValue(0);
  }

  @Test
  void forgetsAll_afterALongTimeWithoutPolls() {
    remember(0, 400);
    remember(601, 1_000);

    assertThat(trail.rise(GPU, 1_000)).hasValue(0);
  }

  private void remember(long second, double mebibytes) {
    trail.add(Map.of(GPU, mebibytes), START.plusSeconds(second));
  }
}
