package io.gpureclaimer.deviceplugin.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void countsWhatTookNoLonger() {
    var two = Latencies.NONE.with(Duration.ofMillis(5)).with(Duration.ofSeconds(20));

    assertThat(two.counts())
        .containsExactly(0L, 0L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 2L);
    assertThat(two.total()).isEqualTo(Duration.ofMillis(20_005));
    assertThat(two.count()).isEqualTo(2);
  }

  @Test
  void theBoundsAscend() {
    assertThat(Latencies.BOUNDS).isSorted().doesNotHaveDuplicates();
    assertThat(Latencies.NONE.counts())
        .isEqualTo(Collections.nCopies(Latencies.BOUNDS.size() + 1, 0L));
  }
}
