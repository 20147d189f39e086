package io.gpureclaimer.exporter.sample;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_SM_CLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuSampleTest {
  private static final Gpu GPU = new Gpu(0, new GpuUuid("GPU-a"), "00000000:19:00.0", "H100");

  @Test
  void keepsReadingsInOrderOfField() {
    var clock = new Reading(DEV_SM_CLOCK, 345);
    var utilization = new Reading(DEV_GPU_UTIL, 1);

    assertThat(new Answered(GPU, Instant.EPOCH, List.of(utilization, clock)).readings())
        .containsExactly(clock, utilization);
  }

  @Test
  void refusesTwoReadingsOfOneField() {
    var twice = List.of(new Reading(DEV_GPU_UTIL, 1), new Reading(DEV_GPU_UTIL, 2));

    assertThatIllegalArgumentException().isThrownBy(() -> new Answered(GPU, Instant.EPOCH, twice));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void refusesAReadingThatIsNoNumber(double value) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Reading(DEV_GPU_UTIL, value));
  }
}
