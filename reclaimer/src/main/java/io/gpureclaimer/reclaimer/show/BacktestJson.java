package io.gpureclaimer.reclaimer.show;

import com.fasterxml.jackson.annotation.JsonProperty;
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

/** JSON of a backtest, with the same facts as {@link BacktestText}; its names are stable. */
@Serdeable
public record BacktestJson(
    int schema,
    Instant from,
    Instant to,
    Duration step,
    long looks,
    String form,
    Optional<Instant> firstSeen,
    Duration recorded,
    String summary,
    FiguresJson total,
    List<NamespaceJson> namespaces,
    int gonePods,
    long namelessGpuSeconds,
    int reclaims,
    List<ReclaimedJson> worst,
    List<String> remarks) {

  /**
   * One object, ended by a line feed.
   *
   * @param limit how many of the pods are listed
   */
  public static String of(Backtest backtest, FormatName form, int limit) {
    return Json.indented(
        new BacktestJson(
            PlanJson.SCHEMA,
            backtest.range().from(),
            backtest.range().to(),
            backtest.range().step(),
            backtest.range().steps(),
            form.code(),
            backtest.firstSeen(),
            backtest.recorded(),
            BacktestText.summary(backtest),
            FiguresJson.of(backtest.total()),
            backtest.namespaces().stream().map(NamespaceJson::of).toList(),
            backtest.gonePods(),
            backtest.nameless().toSeconds(),
            backtest.reclaims().size(),
            backtest.reclaims().stream().limit(limit).map(ReclaimedJson::of).toList(),
            BacktestText.remarks(backtest, form)));
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
      long heldGpuSeconds,
      long idleGpuSeconds,
      long unknownGpuSeconds,
      long onlyReportedGpuSeconds,
      long givenBackGpuSeconds,
      int taken,
      long backWithin1h,
      long backWithin24h,
      @JsonProperty("nobodyKnows") long unknownAfter) {
    static FiguresJson of(NamespaceResult result) {
      GpuTime account = result.account();
      return new FiguresJson(
          account.held().toSeconds(),
          account.idle().toSeconds(),
          account.unknown().toSeconds(),
          account.reported().toSeconds(),
          result.givenBack().toSeconds(),
          result.reclaims().size(),
          result.backWithin(BacktestText.SOON),
          result.backWithin(BacktestText.LATER),
          result.unwatched());
    }
  }

  /** A pod that would have been evicted. */
  @Serdeable
  record ReclaimedJson(
      String namespace,
      String pod,
      String uid,
      boolean gone,
      int gpus,
      String mode,
      Instant at,
      Duration idleFor,
      Instant idleUntil,
      long givenBackGpuSeconds,
      String afterwards,
      Optional<Duration> backAfter,
      String sentence) {
    static ReclaimedJson of(SimulatedReclamation reclaim) {
      return new ReclaimedJson(
          reclaim.pod().namespace(),
          reclaim.pod().name(),
          reclaim.pod().uid(),
          reclaim.isGone(),
          reclaim.devices(),
          reclaim.mode().text(),
          reclaim.at(),
          reclaim.idleFor(),
          reclaim.idleUntil(),
          reclaim.givenBack().toSeconds(),
          switch (reclaim.afterwards()) {
            case EvictionOutcome.ActiveAgain _ -> "back-to-work";
            case EvictionOutcome.StillIdle _ -> "still-idle";
            case EvictionOutcome.PodDeleted _ -> "gone";
            case EvictionOutcome.NotObserved _ -> "unwatched";
          },
          reclaim.backAfter(),
          BacktestText.words(reclaim.afterwards(), reclaim.at()));
    }
  }
}
