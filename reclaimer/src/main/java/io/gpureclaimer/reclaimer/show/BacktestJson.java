package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.backtest.Account;
import io.gpureclaimer.reclaimer.backtest.Afterwards;
import io.gpureclaimer.reclaimer.backtest.Backtest;
import io.gpureclaimer.reclaimer.backtest.NamespaceResult;
import io.gpureclaimer.reclaimer.backtest.Reclaim;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonText;
import io.gpureclaimer.reclaimer.policy.Mode;

/** The same as {@link BacktestText} for machines; its names are promised to stay. */
public final class BacktestJson {
  private BacktestJson() {}

  /**
   * One object, ended by a line feed.
   *
   * @param limit how many of the pods are listed
   */
  public static String of(Backtest backtest, FormatName form, int limit) {
    return JsonText.indented(
        new JsonObject()
            .put("schema", ReportJson.SCHEMA)
            .put("from", backtest.range().from())
            .put("to", backtest.range().to())
            .put("step", backtest.range().step())
            .put("looks", backtest.range().looks())
            .put("form", form.code())
            .put("firstSeen", backtest.firstSeen())
            .put("recorded", backtest.recorded())
            .put("summary", BacktestText.summary(backtest))
            .put("total", figures(backtest.total()))
            .list("namespaces", backtest.namespaces(), BacktestJson::namespace)
            .put("gonePods", backtest.gonePods())
            .put("namelessGpuSeconds", backtest.nameless().toSeconds())
            .put("reclaims", backtest.reclaims().size())
            .list(
                "worst", backtest.reclaims().stream().limit(limit).toList(), BacktestJson::reclaim)
            .list("remarks", BacktestText.remarks(backtest, form), remark -> remark));
  }

  private static JsonObject namespace(NamespaceResult result) {
    return new JsonObject()
        .put("namespace", result.name())
        .put("mode", result.mode().map(mode -> mode.mode()))
        .put("asIf", result.mode().flatMap(mode -> mode.instead()).map(Mode::text))
        .put("figures", figures(result));
  }

  private static JsonObject figures(NamespaceResult result) {
    Account account = result.account();
    return new JsonObject()
        .put("heldGpuSeconds", account.held().toSeconds())
        .put("idleGpuSeconds", account.idle().toSeconds())
        .put("unknownGpuSeconds", account.unknown().toSeconds())
        .put("onlyReportedGpuSeconds", account.reported().toSeconds())
        .put("givenBackGpuSeconds", result.givenBack().toSeconds())
        .put("taken", result.reclaims().size())
        .put("backWithin1h", result.backWithin(BacktestText.SOON))
        .put("backWithin24h", result.backWithin(BacktestText.LATER))
        .put("nobodyKnows", result.unwatched());
  }

  private static JsonObject reclaim(Reclaim reclaim) {
    return new JsonObject()
        .put("namespace", reclaim.pod().namespace())
        .put("pod", reclaim.pod().name())
        .put("uid", reclaim.pod().uid())
        .put("gone", reclaim.isGone())
        .put("gpus", reclaim.devices())
        .put("mode", reclaim.mode().text())
        .put("at", reclaim.at())
        .put("idleFor", reclaim.idleFor())
        .put("idleUntil", reclaim.idleUntil())
        .put("givenBackGpuSeconds", reclaim.givenBack().toSeconds())
        .put("afterwards", code(reclaim.afterwards()))
        .put("backAfter", reclaim.backAfter())
        .put("sentence", BacktestText.words(reclaim.afterwards(), reclaim.at()));
  }

  private static String code(Afterwards afterwards) {
    return switch (afterwards) {
      case Afterwards.BackToWork _ -> "back-to-work";
      case Afterwards.StillIdle _ -> "still-idle";
      case Afterwards.Gone _ -> "gone";
      case Afterwards.Unwatched _ -> "unwatched";
    };
  }
}
