package io.gpureclaimer.reclaimer.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/** Histories of two GPUs of one pod, replayed tick by tick; the replay itself asserts. */
class HistoryPropertyTest {

  @Property(tries = 200)
  void neverDue_whenActiveWithinTheIdleTime_whateverHappens(
      @ForAll("histories") List<HistoryReplay.ReplayPeriod> history) {
    var replay = new HistoryReplay();
    history.forEach(replay::play);

    Statistics.label("became due")
        .collect(replay.timesDue() > 0)
        .coverage(cover -> cover.check(true).percentage(share -> share > 20));
    Statistics.label("was withdrawn")
        .collect(replay.timesWithdrawn() > 0)
        .coverage(cover -> cover.check(true).percentage(share -> share > 20));
  }

  @Example
  void isDueOnce_whenIdleAndWatchedForTheIdleTime() {
    var replay = new HistoryReplay();
    replay.play(new HistoryReplay.ReplayPeriod(true, true, true, 0, 0, 3));
    replay.play(new HistoryReplay.ReplayPeriod(false, false, true, 0, 0, 60));
    assertThat(replay.timesDue()).isEqualTo(1);
  }

  @Example
  void isNotDue_whenOneGpuWorksNowAndThen() {
    var replay = new HistoryReplay();
    for (int round = 0; round < 10; round++) {
      replay.play(new HistoryReplay.ReplayPeriod(true, false, true, 0, 0, 1));
      replay.play(new HistoryReplay.ReplayPeriod(false, false, true, 0, 0, 58));
    }
    assertThat(replay.timesDue()).isZero();
    assertThat(replay.timesWithdrawn()).isEqualTo(9);
  }

  @Example
  void isNotDue_whenObservationsHaveGaps() {
    var replay = new HistoryReplay();
    for (int round = 0; round < 10; round++) {
      replay.play(new HistoryReplay.ReplayPeriod(false, false, false, 0, 0, 4));
      replay.play(new HistoryReplay.ReplayPeriod(false, false, true, 0, 0, 58));
    }
    assertThat(replay.timesDue()).isZero();
  }

  @Provide
  static Arbitrary<List<HistoryReplay.ReplayPeriod>> histories() {
    Arbitrary<Boolean> busy = Arbitraries.frequency(Tuple.of(1, true), Tuple.of(5, false));
    Arbitrary<Boolean> watched = Arbitraries.frequency(Tuple.of(8, true), Tuple.of(1, false));
    Arbitrary<Integer> nodeAhead =
        Arbitraries.frequency(
            Tuple.of(16, 0),
            Tuple.of(1, 15),
            Tuple.of(1, -15),
            Tuple.of(1, 3600),
            Tuple.of(1, -3600));
    Arbitrary<Integer> weAhead =
        Arbitraries.frequency(
            Tuple.of(16, 0), Tuple.of(1, 25), Tuple.of(1, -25), Tuple.of(1, 3600));
    Arbitrary<Integer> ticks =
        Arbitraries.frequencyOf(
            Tuple.of(1, Arbitraries.integers().between(1, 5)),
            Tuple.of(2, Arbitraries.integers().between(30, 90)));
    return Combinators.combine(busy, busy, watched, nodeAhead, weAhead, ticks)
        .as(HistoryReplay.ReplayPeriod::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(25);
  }
}
