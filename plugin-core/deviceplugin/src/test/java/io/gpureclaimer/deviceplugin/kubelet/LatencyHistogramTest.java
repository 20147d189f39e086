package io.gpureclaimer.deviceplugin.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  @Test
  void countsWhatTookNoLonger() {
    var two = LatencyHistogram.NONE.with(Duration.ofMillis(5)).with(Duration.ofSeconds(20));

    assertThat(two.counts())
        .containsExactly(0L, 0L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 2L);
    assertThat(two.total()).isEqualTo(Duration.ofMillis(20_005));
    assertThat(two.count()).isEqualTo(2);
  }

  @Test
  void theBoundsAscend() {
    assertThat(LatencyHistogram.BOUNDS).isSorted().doesNotHaveDuplicates();
    assertThat(LatencyHistogram.NONE.counts())
        .isEqualTo(Collections.nCopies(LatencyHistogram.BOUNDS.size() + 1, 0L));
  }
}
