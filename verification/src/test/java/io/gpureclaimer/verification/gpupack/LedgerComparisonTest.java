package io.gpureclaimer.verification.gpupack;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.verification.gpupack.CheckRow.Result;
import io.gpureclaimer.verification.gpupack.Load.Stretch;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerComparisonTest {
  private static final String GPU = "GPU-1";
  private static final Instant START = Instant.parse("2026-11-27T12:00:00Z");

  @Test
  void passes_whenTheLedgerFollowsTheLoad() {
    assertThat(results(ledger(20, 40), 20, 40, false)).containsOnly(Result.PASS).hasSize(4);
  }

  @Test
  void fails_whenActivityIsRecordedTooLate() {
    assertThat(results(ledger(25, 40), 20, 40, false)).contains(Result.FAIL);
  }

  @Test
  void fails_whenActivityIsRecordedAfterTheLoad() {
    assertThat(results(ledger(20, 48), 20, 40, false)).contains(Result.FAIL);
  }

  @Test
  void fails_whenNoActivityIsRecorded() {
    assertThat(results(ledger(100, 100), 20, 40, false)).contains(Result.FAIL);
  }

  @Test
  void doesNotCheckTheRest_whenAnotherProgramUsesTheGpu() {
    assertThat(results(ledger(20, 40), 20, 40, true))
        .containsExactly(Result.PASS, Result.PASS, Result.PASS, Result.NOT_CHECKED);
  }

  @Test
  void isNotChecked_withoutALedger() {
    assertThat(new LedgerComparison(GPU).rows(List.of(), false))
        .extracting(CheckRow::result)
        .containsExactly(Result.NOT_CHECKED);
  }

  /** A minute of scrapes of a GPU that the agent found active in these seconds. */
  private static LedgerComparison ledger(int from, int to) {
    var ledger = new LedgerComparison(GPU);
    for (int second = 0; second < 60; second++) {
      int active = Math.min(second, to);
      String text = LedgerComparison.BUSY + "{UUID=\"GPU-1\"} " + Math.max(0, active - from) + "\n";
      if (active >= from) {
        text +=
            LedgerComparison.LAST_ACTIVE
                + "{UUID=\"GPU-1\"} "
                + (START.getEpochSecond() + active)
                + "\n";
      }
      ledger.add(Scrape.parse(text, START.plusSeconds(second)));
    }
    return ledger;
  }

  private static List<Result> results(
      LedgerComparison ledger, int begin, int end, boolean othersUseGpu) {
    var stretch = new Stretch(GPU, START.plusSeconds(begin), START.plusSeconds(end));
    return ledger.rows(List.of(stretch), othersUseGpu).stream().map(CheckRow::result).toList();
  }
}
