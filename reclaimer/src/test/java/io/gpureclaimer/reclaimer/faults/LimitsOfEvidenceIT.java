package io.gpureclaimer.reclaimer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What no reclaimer can find out from what it is shown, written down as plainly as what it can. If
 * one of the first kind ever fails, something was gained, and the fault moves into the matrix.
 */
class LimitsOfEvidenceIT {

  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @Test
  void staysUndetected_whenTwoPodsOfEqualNodeAndSizeAreConfused() {
    // UUIDs, counts and both series are as they must be; only what the pods themselves report of
    // their work, by CPU or requests, could contradict.
    assertThat(
            wrongsUnder(
                InjectedFault.LABELS_SWAPPED_BETWEEN_EQUALS, EvidenceSourceKind.PROMETHEUS, 40))
        .isNotEmpty();
  }

  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void isNoticed_thatAllCountersOfWorkStandAtZero() {
    assertThat(wrongsUnder(InjectedFault.COUNTERS_STUCK_AT_ZERO, EvidenceSourceKind.PROMETHEUS))
        .isEmpty();
  }

  @Execution(ExecutionMode.CONCURRENT)
  @Test
  @Disabled("the direct source sees the utilization of the moment, not that of two minutes")
  void isNoticed_thatTheLedgerMissesWorkOfTheLastTwoMinutes_withoutAPrometheus() {
    assertThat(wrongsUnder(InjectedFault.LEDGER_STUCK_AT_ZERO, EvidenceSourceKind.DIRECT))
        .isEmpty();
  }

  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void isNoticed_thatTheSeriesOfTheLastActivityIsDropped() {
    assertThat(wrongsUnder(InjectedFault.LAST_ACTIVE_DROPPED, EvidenceSourceKind.PROMETHEUS))
        .isEmpty();
  }

  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void isNoticed_thatScrapesBroughtHalfOfTheSeries() {
    assertThat(wrongsUnder(InjectedFault.SERIES_LOST_50, EvidenceSourceKind.PROMETHEUS)).isEmpty();
  }

  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"SERIES_LOST_.*"})
  void isNoticed_thatScrapesBroughtPartOfTheSeries(InjectedFault fault) {
    assertThat(wrongsUnder(fault, EvidenceSourceKind.PROMETHEUS)).isEmpty();
  }

  /** Half of them is a fault of the matrix. */
  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"SAMPLES_LOST_.*"})
  void isNoticed_thatSingleSamplesGotLostOnTheWayToTheDisk(InjectedFault fault) {
    assertThat(wrongsUnder(fault, EvidenceSourceKind.PROMETHEUS)).isEmpty();
  }

  private static List<String> wrongsUnder(InjectedFault fault, EvidenceSourceKind source) {
    return wrongsUnder(fault, source, Integer.getInteger("faults.runs", 1));
  }

  private static List<String> wrongsUnder(
      InjectedFault fault, EvidenceSourceKind source, int seeds) {
    var wrongs = new ArrayList<String>();
    for (long seed = 0; seed < seeds && wrongs.isEmpty(); seed++) {
      try (var run = new FaultRun(seed, source, Set.of(fault))) {
        wrongs.addAll(run.live(Duration.ofHours(2)).referee().wrongs());
      }
    }
    return wrongs;
  }
}
