package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestartTimeTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, PT1M, true",
    "PT59S, PT1M, true",
    "PT7M30S, PT7M30S, true",
    "PT1H, PT1H, true",
    "PT1H1S, PT5M, false",
    "PT720H, PT5M, false"
  })
  void countsTheStartOfThePodUpToAnHour(Duration startup, Duration start, boolean isMeasured) {
    assertThat(RestartTime.of(workload(pod("a").startup(startup).draw())))
        .isEqualTo(new RestartTime(start, isMeasured));
  }

  @Test
  void isNeverZero_whenNothingIsKnown() {
    var time = RestartTime.of(workload(pod("a").draw(), pod("b").draw()));

    assertThat(time).isEqualTo(new RestartTime(Duration.ofMinutes(5), false));
    assertThat(time.total()).isEqualTo(Duration.ofMinutes(15));
    assertThat(time.sentence()).isEqualTo("15m to restart (start 5m assumed, state 10m)");
  }

  @Test
  void countsTheSlowestOfItsPods_withoutThoseNotKnown() {
    var time =
        RestartTime.of(
            workload(
                pod("a").startup(Duration.ofSeconds(90)).draw(),
                pod("b").startup(Duration.ofMinutes(4)).draw(),
                pod("c").startup(Duration.ofDays(3)).draw(),
                pod("d").draw()));

    assertThat(time).isEqualTo(new RestartTime(Duration.ofMinutes(4), true));
    assertThat(time.sentence()).isEqualTo("14m to restart (start 4m measured, state 10m)");
  }

  private static Workload workload(PodView... pods) {
    return new Workload(
        "ml", Optional.of(new Owner("batch/v1", "Job", "train", "train")), List.of(pods));
  }
}
