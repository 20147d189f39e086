package io.gpureclaimer.reclaimer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.faults.TraceReplay.Loss;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Generated traces of which half of the scrapes, or of the single samples, get lost. The agent's
 * own clock goes on, so that losses make the evidence older and leave it whole.
 */
class LostScrapesIT {
  private static final Duration IDLE_AFTER = Duration.ofMinutes(30);
  private static final int PODS = 24;

  @Test
  void mostActsRemain_andNoneIsWrong_whenHalfOfTheScrapesOrSamplesAreLost() {
    List<TracedPod> pods = GeneratedTraces.pods(PODS);

    int whole = acts(pods, Loss.NONE).size();

    assertThat(whole).isGreaterThanOrEqualTo(10);
    remain(0.8 * whole, acts(pods, new Loss(0.5, 0)));
    // A record is as old as the oldest of its five samples, and many of these pods rest for just
    // long enough. Of the real traces 81 % of the acts remain.
    remain(0.65 * whole, acts(pods, new Loss(0, 0.5)));
  }

  private static void remain(double atLeast, List<ReplayedAction> acts) {
    assertThat(acts).hasSizeGreaterThanOrEqualTo((int) Math.ceil(atLeast));
    assertThat(acts).noneMatch(act -> act.onWorkWithin(IDLE_AFTER));
  }

  private static List<ReplayedAction> acts(List<TracedPod> pods, Loss loss) {
    try (var replay =
        new TraceReplay(pods, IDLE_AFTER, loss, GeneratedTraces.SEED, Optional.empty())) {
      return replay.run();
    }
  }
}
