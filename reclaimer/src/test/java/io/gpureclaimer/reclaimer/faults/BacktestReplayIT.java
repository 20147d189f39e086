package io.gpureclaimer.reclaimer.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.backtest.Backtest;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceScope;
import io.gpureclaimer.reclaimer.backtest.ModeOverride;
import io.gpureclaimer.reclaimer.backtest.PolicyReplay;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation.EvictionOutcome;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusHistory;
import io.gpureclaimer.reclaimer.faults.TraceReplay.Loss;
import io.gpureclaimer.reclaimer.policy.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Generated traces under mode report, stored in each real server, and played to the policy
 * afterwards: each pod would have been reclaimed when the real program takes it under mode always,
 * and what became of it is what its trace says.
 */
class BacktestReplayIT {
  private static final Duration IDLE_AFTER = Duration.ofMinutes(30);
  private static final int PODS = 6;
  private static final Duration STEP = Duration.ofMinutes(1);

  /** A cycle of the replay, and a look of the past. */
  private static final Duration ROUGHLY = Duration.ofMinutes(2);

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer#forLongTests")
  void takesWhatTheProgramTakes_andReportsWhatBecameOfIt(PrometheusCompatibleServer kind)
      throws IOException {
    assumeTrue(kind.isHere(), kind + " is not on the PATH, nor where ./test puts it");
    List<TracedPod> workloads = GeneratedTraces.pods(PODS);
    Map<String, Instant> expected = new TreeMap<>();
    try (var replay = replay(workloads, Mode.ALWAYS, Optional.empty())) {
      replay.run().forEach(act -> expected.putIfAbsent(act.workload().name(), act.at()));
    }

    Backtest backtest;
    try (RealServer real = RealServer.start(kind, directory);
        var replay = replay(workloads, Mode.REPORT, Optional.of(real))) {
      assertThat(replay.run()).isEmpty();
      backtest = backtest(replay, real);
    }

    assertThat(expected).hasSizeGreaterThan(2);
    Map<String, Instant> found = new TreeMap<>();
    backtest.reclaims().stream()
        .sorted(Comparator.comparing(SimulatedReclamation::at))
        .forEach(reclaim -> found.putIfAbsent(reclaim.pod().name(), reclaim.at()));
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    found.forEach(
        (pod, at) -> assertThat(Duration.between(expected.get(pod), at).abs()).isLessThan(ROUGHLY));
    var outcomes = new ArrayList<String>();
    for (SimulatedReclamation reclaim : backtest.reclaims()) {
      var act = new ReplayedAction(workload(workloads, reclaim), reclaim.at());
      assertThat(act.onWorkWithin(IDLE_AFTER.minus(DutyCycleTrace.INTERVAL))).isFalse();
      if (reclaim.afterwards() instanceof EvictionOutcome.ActiveAgain(Instant last)) {
        Instant work = act.workload().nextWork(act.at());
        assertThat(last).isBetween(work.minus(ROUGHLY), work);
        outcomes.add("back");
      }
      assertThat(reclaim.freed()).isLessThanOrEqualTo(act.freed());
    }
    assertThat(outcomes).isNotEmpty();
  }

  private static Backtest backtest(TraceReplay replay, RealServer real) {
    Instant end = replay.now();
    long looks = Duration.between(SkewedClocks.START, end).dividedBy(STEP);
    var range =
        new TimeRange(SkewedClocks.START, SkewedClocks.START.plus(STEP.multipliedBy(looks)), STEP);
    Options options = Options.ledgerOnly();
    var player =
        new PolicyReplay(
            range,
            replay.cluster(),
            new ModeOverride(Mode.REPORT, Mode.ALWAYS),
            replay.part(JudgmentTerms.class).judge(),
            SignalHistoryStore.none(),
            new NamespaceScope(Set.of()));
    var history =
        new PrometheusHistory(
            PrometheusConnection.to(real.base(), Duration.ofSeconds(60)),
            options,
            List.of("traces"));
    assertThat(history.replay(range, player::play))
        .isInstanceOf(PrometheusHistory.Replayed.Complete.class);
    return player.finish();
  }

  private static TraceReplay replay(
      List<TracedPod> workloads, Mode mode, Optional<RealServer> real) {
    Map<String, String> policy =
        Map.of(
            Annotations.MODE, mode.text(), Annotations.IDLE_AFTER, TraceReplay.minutes(IDLE_AFTER));
    return new TraceReplay(workloads, policy, Loss.NONE, GeneratedTraces.SEED, real);
  }

  private static TracedPod workload(List<TracedPod> workloads, SimulatedReclamation reclaim) {
    return workloads.stream()
        .filter(each -> each.name().equals(reclaim.pod().name()))
        .findFirst()
        .orElseThrow();
  }
}
