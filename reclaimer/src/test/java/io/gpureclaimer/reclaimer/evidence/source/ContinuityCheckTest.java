package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ContinuityCheckTest {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");

  private final ContinuityCheck check = new ContinuityCheck();

  @Test
  void findsNothing_whenObservationsLast() {
    for (int minute = 0; minute < 10; minute++) {
      look(minute, 0);
    }

    assertThat(check.problem()).isEmpty();
  }

  @Test
  void findsNothing_whenObservationsRestartNowAndThen() {
    for (int minute = 0; minute < 20; minute++) {
      look(minute, minute < 10 ? 0 : 10);
    }

    assertThat(check.problem()).isEmpty();
  }

  @Test
  void findsThatNothingCanBecomeIdle_whenObservationsRestartAtEachPoll() {
    for (int minute = 0; minute < 10; minute++) {
      look(minute, minute);
    }

    assertThat(check.problem().orElseThrow())
        .startsWith(
            "expected observations that last from look to look, found that 9 of 9 begin again:");
  }

  private void look(int minute, int since) {
    Instant at = START.plusSeconds(60L * minute);
    check.check(
        new HistoricalObservation(
            new Seen(
                at,
                Map.of(
                    "a",
                    new PodActivity(
                        "a",
                        List.of(
                            new DeviceActivity(
                                new GpuUuid("GPU-a"),
                                Optional.empty(),
                                START.plusSeconds(60L * since),
                                at,
                                at,
                                OptionalDouble.empty())))),
                List.of()),
            Map.of()));
  }
}
