package io.gpureclaimer.reclaimer.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.backtest.Backtest;
import io.gpureclaimer.reclaimer.backtest.Backtest.GpuTime;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceResult;
import io.gpureclaimer.reclaimer.backtest.ModeOverride;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation.EvictionOutcome;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.policy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BacktestTextGoldenTest {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final FormatName FORM = new FormatName("ledger", "what the agents recorded");

  @Test
  void everythingThatCanBecomeOfAPod() {
    Golden.assertThatTextIs("backtest.txt", BacktestText.of(full(), FORM, 4));
  }

  @Test
  void theSameAsJson() {
    Golden.assertThatTextIs("backtest.json", BacktestJson.of(full(), FORM, 4));
  }

  @Test
  void theSameAsHtml_thatNeedsNoOtherFile() {
    String html = BacktestHtml.of(full(), FORM, 4);

    assertThat(html).doesNotContain("http", "src=", "url(");
    Golden.assertThatTextIs("backtest.html", html);
  }

  @Test
  void nothingThatCouldBeTaken() {
    var range = new TimeRange(START, START.plus(Duration.ofHours(1)), Duration.ofMinutes(1));
    var backtest =
        new Backtest(
            range,
            Optional.of(START),
            range.length(),
            List.of(
                new NamespaceResult(
                    "ml",
                    Optional.of(new ModeOverride.OverriddenMode("off", Optional.empty())),
                    account(1, 0, 0, 0),
                    List.of())),
            List.of(),
            0,
            Duration.ZERO,
            List.of());

    assertThat(BacktestText.of(backtest, FORM, 20))
        .isEqualTo(
            """
            In 1h until 2026-03-02T01:00:00Z, evaluated every 1m, a pod would have been reclaimed 0 times, which frees 0.0 of the 0.0 GPU-hours that were allocated and idle; 0 of these would have been needed again within 1h, 0 within 24h.
            The activity of 0.0 of the 1.0 allocated GPU-hours is unknown; there are records of the whole time.

            NAMESPACE  MODE  GPU-HOURS  IDLE  UNKNOWN  ONLY REPORTED  FREED  RECLAIMED  NEEDED IN 1H  NEEDED IN 24H  UNKNOWN AFTER
            ml         off   1.0        0.0   0.0      0.0            0.0    0          0             0              0

            Nothing would have been reclaimed.

            REMARKS
              evidence format ledger: what the agents recorded
              namespaces, owners, annotations and requests are those of today; budgets, the circuit breaker and the recheck are not replayed: this is the most that would have been reclaimed
            """);
  }

  private static Backtest full() {
    var range = new TimeRange(START, START.plus(Duration.ofDays(3)), Duration.ofMinutes(2));
    List<SimulatedReclamation> ml =
        List.of(
            reclaim("ml", "soon", false, 1, hours(1), new EvictionOutcome.ActiveAgain(at(11))),
            reclaim("ml", "later", true, 8, hours(20), new EvictionOutcome.ActiveAgain(at(30))),
            reclaim("ml", "still", false, 2, hours(62), new EvictionOutcome.StillIdle()),
            reclaim("ml", "ended", true, 1, hours(4), new EvictionOutcome.PodDeleted(at(14))));
    List<SimulatedReclamation> lab =
        List.of(
            reclaim("lab", "lost", false, 1, hours(3), new EvictionOutcome.NotObserved(at(13))));
    return new Backtest(
        range,
        Optional.of(at(7)),
        hours(60),
        List.of(
            new NamespaceResult(
                "lab",
                Optional.of(new ModeOverride.OverriddenMode("on-demand", Optional.empty())),
                account(100, 40, 5, 0),
                lab),
            new NamespaceResult(
                "ml",
                Optional.of(new ModeOverride.OverriddenMode("report", Optional.of(Mode.ALWAYS))),
                account(900, 400, 12, 30),
                ml),
            new NamespaceResult("old", Optional.empty(), account(10, 10, 0, 0), List.of())),
        List.of(ml.get(0), ml.get(1), ml.get(2), ml.get(3), lab.getFirst()),
        7,
        hours(5),
        List.of("pod ml/still: gpu-reclaimer.io/idle-after \"1m\": at least 10m is allowed"));
  }

  private static SimulatedReclamation reclaim(
      String namespace,
      String name,
      boolean gone,
      int gpus,
      Duration idle,
      EvictionOutcome afterwards) {
    return new SimulatedReclamation(
        new PodRef(namespace, name, "uid-of-" + name),
        gone,
        gpus,
        at(10),
        Duration.ofMinutes(62),
        namespace.equals("lab") ? Mode.ON_DEMAND : Mode.ALWAYS,
        at(10).plus(idle),
        afterwards);
  }

  private static Instant at(int hour) {
    return START.plus(hours(hour));
  }

  private static Duration hours(int hours) {
    return Duration.ofHours(hours);
  }

  private static GpuTime account(int held, int idle, int unknown, int reported) {
    return new GpuTime(hours(held), hours(idle), hours(unknown), hours(reported));
  }
}
