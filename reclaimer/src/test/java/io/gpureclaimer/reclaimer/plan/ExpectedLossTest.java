package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.evidence.IdlePast.IdleOutcomes;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.OwnPast;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExpectedLossTest {

  @ParameterizedTest
  @CsvSource({
    "SERVING, PT2H, 0.350",
    "INTERACTIVE, PT2H, 0.250",
    "OTHER, PT2H, 0.250",
    "ELASTIC, PT2H, 0.194",
    "BATCH, PT2H, 0.134",
    "OTHER, PT0S, 0.500",
    "OTHER, PT24H, 0.038"
  })
  void isLessProbableTheLongerItIsIdle(WorkloadClass kind, Duration idleFor, double probability) {
    assertThat(ExpectedLoss.prior(kind, idleFor)).isCloseTo(probability, within(0.001));
  }

  @ParameterizedTest
  @EnumSource
  void neverGrowsWithTheIdleTime(WorkloadClass kind) {
    double before = 1;
    for (int minutes = 0; minutes < 100_000; minutes += 37) {
      double next = ExpectedLoss.prior(kind, Duration.ofMinutes(minutes));
      assertThat(next).isPositive().isLessThan(before);
      before = next;
    }
  }

  @Test
  void countsAllGpusOfTheWorkload() {
    Due due = due(WorkloadClass.OTHER, "2h");

    assertThat(ExpectedLoss.of(due)).isEqualTo(750_000L * 15 * 60);
    assertThat(ExpectedLoss.gpuMinutes(due)).isEqualTo(11.3);
    assertThat(ExpectedLoss.sentence(due))
        .isEqualTo(
            "11.3 GPU-minutes: 3 GPUs, needed again within an hour with a probability of 25 % (class"
                + " other: 25 %), 15m to restart (start 5m assumed, state 10m)");
    assertThat(ExpectedLoss.past(due))
        .isEqualTo("unknown, only the class counts: its past is not read");
  }

  /**
   * The prior is 25 % and counts as two periods, and so does what follows from all periods beside
   * those at this time of day.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0, 0.25",
    "1, 0, 0, 0, 0.1667",
    "1, 1, 0, 0, 0.5",
    "6, 3, 0, 0, 0.4375",
    "98, 0, 0, 0, 0.005",
    "6, 3, 2, 2, 0.7188",
    "6, 3, 3, 0, 0.175",
    "1, 1, 1, 1, 0.6667"
  })
  void theOwnPastCountsBesideThePrior(
      int periods, int ended, int now, int endedNow, double probability) {
    Due due =
        due(WorkloadClass.OTHER, "2h")
            .with(
                new OwnPast.Counted(
                    new IdleOutcomes(periods, ended),
                    new IdleOutcomes(now, endedNow),
                    Duration.ofDays(7)));

    assertThat(ExpectedLoss.probability(due)).isCloseTo(probability, within(0.0001));
    assertThat(ExpectedLoss.prior(due)).isEqualTo(0.25);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, idle for as long 0 times in the last 7d",
    "1, 1, 0, 'idle for as long once in the last 7d, 1 of them ended within the next hour; at about"
        + " this time of day 0 times'",
    "6, 2, 1, 'idle for as long 6 times in the last 7d, 2 of them ended within the next hour; at"
        + " about this time of day once, 1 of them'"
  })
  void theOwnPastIsExplained(int periods, int ended, int now, String sentence) {
    Due due =
        due(WorkloadClass.OTHER, "2h")
            .with(
                new OwnPast.Counted(
                    new IdleOutcomes(periods, ended),
                    new IdleOutcomes(now, now),
                    Duration.ofDays(7)));

    assertThat(ExpectedLoss.past(due)).isEqualTo(sentence);
  }

  private static Due due(WorkloadClass kind, String idleFor) {
    var workload =
        new Workload(
            "ml",
            Optional.of(new Owner("batch/v1", "Job", "train", "train")),
            List.of(pod("a").gpus(1).draw(), pod("b").gpus(2).on("node-2").draw()));
    return new Due(
        workload,
        ago(idleFor),
        time(idleFor),
        ago("1h"),
        Mode.ON_DEMAND,
        new EvictPod(),
        kind,
        true,
        OwnPast.NONE);
  }
}
