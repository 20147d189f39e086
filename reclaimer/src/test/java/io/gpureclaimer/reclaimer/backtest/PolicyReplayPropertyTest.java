package io.gpureclaimer.reclaimer.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceScope;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation.EvictionOutcome;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.ShortTimes;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/** Histories of a pod with two GPUs: what would have been reclaimed is what the oracle finds. */
class PolicyReplayPropertyTest {
  private static final String POD = "a";

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void takesWhatTheOracleFinds_andFollowsItAsTheOracleDoes(
      @ForAll("histories") List<ActualHistory.HistoryPeriod> history,
      @ForAll("ticksBetweenLooks") int ticksBetweenLooks,
      @ForAll boolean isGone) {
    var truth = new ActualHistory(history);
    List<Integer> looks =
        IntStream.iterate(
                ticksBetweenLooks - 1,
                index -> index < truth.ticks().size(),
                index -> index + ticksBetweenLooks)
            .boxed()
            .toList();
    if (looks.isEmpty()) {
      return;
    }

    List<String> found = play(truth, looks, ticksBetweenLooks, isGone);

    List<String> expected = new Oracle(truth.ticks(), isGone).play(looks);
    assertThat(found).isEqualTo(expected);
    for (String what : List.of("back", "unwatched", "idle to the end", "gone")) {
      Statistics.label(what)
          .collect(expected.stream().anyMatch(line -> line.contains(what)))
          .coverage(cover -> cover.check(true).count(count -> count > 0));
    }
  }

  private static List<String> play(
      ActualHistory truth, List<Integer> looks, int ticksBetweenLooks, boolean isGone) {
    Duration step = ActualHistory.TICK.multipliedBy(ticksBetweenLooks);
    var range =
        new TimeRange(
            BacktestScenario.START,
            BacktestScenario.START.plus(step.multipliedBy(looks.size())),
            step);
    var namespace = JudgeScenario.namespace("ml", "mode", "report");
    ClusterView today =
        isGone
            ? JudgeScenario.cluster(namespace)
            : JudgeScenario.cluster(namespace, PodDraft.pod(POD).gpus(2).draw());
    var player =
        new PolicyReplay(
            range,
            today,
            new ModeOverride(Mode.REPORT, Mode.ALWAYS),
            ShortTimes.JUDGE,
            SignalHistoryStore.none(),
            new NamespaceScope(Set.of()));
    looks.forEach(look -> player.play(truth.look(look, POD)));
    return player.finish().reclaims().stream()
        .sorted(Comparator.comparing(SimulatedReclamation::at))
        .map(PolicyReplayPropertyTest::line)
        .toList();
  }

  private static String line(SimulatedReclamation reclaim) {
    String how =
        switch (reclaim.afterwards()) {
          case EvictionOutcome.ActiveAgain(var at) -> {
            assertThat(at).isEqualTo(reclaim.idleUntil());
            yield "back";
          }
          case EvictionOutcome.NotObserved(var at) -> {
            assertThat(at).isEqualTo(reclaim.idleUntil());
            yield "unwatched";
          }
          case EvictionOutcome.SharedGpuActive _ -> "shared";
          case EvictionOutcome.StillIdle() -> "idle to the end";
          case EvictionOutcome.PodDeleted _ -> "gone";
        };
    return reclaim.at() + " " + how + " " + Duration.between(reclaim.at(), reclaim.idleUntil());
  }

  @Provide
  static Arbitrary<Integer> ticksBetweenLooks() {
    return Arbitraries.of(1, 6, 12, 30);
  }

  @Provide
  static Arbitrary<List<ActualHistory.HistoryPeriod>> histories() {
    Arbitrary<Boolean> busy = Arbitraries.frequency(Tuple.of(1, true), Tuple.of(6, false));
    Arbitrary<Boolean> watched = Arbitraries.frequency(Tuple.of(6, true), Tuple.of(1, false));
    Arbitrary<Boolean> scraped = Arbitraries.frequency(Tuple.of(8, true), Tuple.of(1, false));
    Arbitrary<Integer> ticks =
        Arbitraries.frequencyOf(
            Tuple.of(1, Arbitraries.integers().between(1, 5)),
            Tuple.of(2, Arbitraries.integers().between(30, 120)));
    return Combinators.combine(busy, busy, watched, scraped, ticks)
        .as(ActualHistory.HistoryPeriod::new)
        .list()
        .ofMinSize(4)
        .ofMaxSize(24);
  }
}
