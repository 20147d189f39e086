package io.gpureclaimer.reclaimer.verdict;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * The histories of {@link HistoryPropertyTest}, a million of them, counted; for the nights. The
 * judge looks once a minute, as the program does.
 */
class MillionHistoriesPropertyTest {
  private static final int HISTORIES = 1_000_000;
  private static final int TICKS_OF_A_MINUTE = 6;

  private static final AtomicLong HISTORIES_PLAYED = new AtomicLong();
  private static final AtomicLong TIMES_DUE = new AtomicLong();
  private static final AtomicLong TIMES_WITHDRAWN = new AtomicLong();

  @Tag("nightly")
  @Property(tries = HISTORIES, shrinking = ShrinkingMode.BOUNDED)
  void neverDue_whenActiveWithinTheIdleTime_inAMillionHistories(
      @ForAll("histories") List<HistoryReplay.ReplayPeriod> history) {
    var replay = new HistoryReplay(TICKS_OF_A_MINUTE);
    history.forEach(replay::play);
    HISTORIES_PLAYED.incrementAndGet();
    TIMES_DUE.addAndGet(replay.timesDue());
    TIMES_WITHDRAWN.addAndGet(replay.timesWithdrawn());
  }

  @AfterContainer
  static void count() {
    System.out.println(
        HISTORIES_PLAYED
            + " histories, "
            + TIMES_DUE
            + " times due, "
            + TIMES_WITHDRAWN
            + " warnings withdrawn");
  }

  @Provide
  static Arbitrary<List<HistoryReplay.ReplayPeriod>> histories() {
    return HistoryPropertyTest.histories();
  }
}
