package io.gpureclaimer.reclaimer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.faults.TraceReplay.Loss;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Generated traces of which half of the scrapes get lost. The agent's own clock goes on, so lost
 * scrapes make the evidence older and leave it whole.
 */
class LostScrapesIT {
  private static final Duration IDLE_AFTER = Duration.ofMinutes(30);
  private static final int PODS = 24;

  @Test
  void fourOfFiveActsRemain_andNoneIsWrong_whenHalfOfTheScrapesAreLost() {
    List<TracedPod> pods = GeneratedTraces.pods(PODS);

    int whole = acts(pods, Loss.NONE).size();
    List<ReplayedAction> found = acts(pods, new Loss(0.5, 0));

    assertThat(whole).isGreaterThanOrEqualTo(10);
    assertThat(found).hasSizeGreaterThanOrEqualTo((int) Math.ceil(0.8 * whole));
    assertThat(found).noneMatch(act -> act.onWorkWithin(IDLE_AFTER));
  }

  private static List<ReplayedAction> acts(List<TracedPod> pods, Loss loss) {
    try (var replay =
        new TraceReplay(pods, IDLE_AFTER, loss, GeneratedTraces.SEED, Optional.empty())) {
      return replay.run();
    }
  }
}
