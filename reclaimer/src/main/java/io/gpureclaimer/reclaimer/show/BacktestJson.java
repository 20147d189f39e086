package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.backtest.Backtest;
import io.gpureclaimer.reclaimer.backtest.Backtest.GpuTime;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceResult;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation.EvictionOutcome;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * JSON of a backtest, with the same facts as {@link BacktestText}. Figures have the names that they
 * have in {@link SimulationJson}: GPU time is in GPU-hours, other times are in seconds.
 */
@Serdeable
public record BacktestJson(
    int schema,
    Instant from,
    Instant to,
    Duration step,
    long steps,
    String format,
    Optional<Instant> firstSeen,
    Duration recorded,
    String summary,
    FiguresJson total,
    List<NamespaceJson> namespaces,
    int deletedPods,
    double unnamed,
    List<ActionJson> actions,
    List<String> remarks) {

  /**
   * One object, ended by a line feed.
   *
   * @param limit how many of the pods are listed
   */
  public static String of(Backtest backtest, FormatName format, int limit) {
    return Json.indented(
        new BacktestJson(
            PlanJson.SCHEMA,
            backtest.range().from(),
            backtest.range().to(),
            backtest.range().step(),
            backtest.range().steps(),
            format.code(),
            backtest.firstSeen(),
            backtest.recorded(),
            BacktestText.summary(backtest),
            FiguresJson.of(backtest.total()),
            backtest.namespaces().stream().map(NamespaceJson::of).toList(),
            backtest.deletedPods(),
            BacktestText.inHours(backtest.unnamed()),
            backtest.reclaims().stream().limit(limit).map(ActionJson::of).toList(),
            BacktestText.remarks(backtest, format)));
  }

  /** Result of one namespace. */
  @Serdeable
  record NamespaceJson(
      String namespace, Optional<String> mode, Optional<String> asIf, FiguresJson figures) {
    static NamespaceJson of(NamespaceResult result) {
      return new NamespaceJson(
          result.name(),
          result.mode().map(mode -> mode.mode()),
          result.mode().flatMap(mode -> mode.instead()).map(Mode::text),
          FiguresJson.of(result));
    }
  }

  /** Sums over namespaces or of one. */
  @Serdeable
  record FiguresJson(
      double allocated,
      double idle,
      double unknown,
      double onlyReported,
      double freed,
      int reclaimed,
      long neededWithin1h,
      long neededWithin24h,
      long unknownWhetherNeeded) {
    static FiguresJson of(NamespaceResult result) {
      GpuTime account = result.account();
      return new FiguresJson(
          BacktestText.inHours(account.held()),
          BacktestText.inHours(account.idle()),
          BacktestText.inHours(account.unknown()),
          BacktestText.inHours(account.reported()),
          BacktestText.inHours(result.freed()),
          result.reclaims().size(),
          result.neededWithin(BacktestText.SOON),
          result.neededWithin(BacktestText.LATER),
          result.unknownAfter());
    }
  }

  /** A pod that would have been reclaimed. */
  @Serdeable
  record ActionJson(
      Instant at,
      String namespace,
      String pod,
      String uid,
      boolean deleted,
      int gpus,
      String mode,
      long idleFor,
      Instant idleUntil,
      double freed,
      String outcome,
      Optional<Long> neededAfter,
      String sentence) {
    static ActionJson of(SimulatedReclamation reclaim) {
      return new ActionJson(
          reclaim.at(),
          reclaim.pod().namespace(),
          reclaim.pod().name(),
          reclaim.pod().uid(),
          reclaim.isGone(),
          reclaim.devices(),
          reclaim.mode().text(),
          reclaim.idleFor().toSeconds(),
          reclaim.idleUntil(),
          BacktestText.inHours(reclaim.freed()),
          switch (reclaim.afterwards()) {
            case EvictionOutcome.ActiveAgain _ -> "needed-again";
            case EvictionOutcome.StillIdle _ -> "still-idle";
            case EvictionOutcome.PodDeleted _ -> "deleted";
            case EvictionOutcome.NotObserved _, EvictionOutcome.SharedGpuActive _ -> "unknown";
          },
          reclaim.neededAfter().map(Duration::toSeconds),
          BacktestText.words(reclaim.afterwards(), reclaim.at()));
    }
  }
}
