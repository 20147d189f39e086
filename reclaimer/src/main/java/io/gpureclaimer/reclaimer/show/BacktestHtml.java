package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.backtest.Backtest;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceResult;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.show.ReportPage.Bar;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What would have been reclaimed, as an HTML report with the tables of {@link BacktestText}. */
public final class BacktestHtml {
  private static final String IDLE = "any-gpu-30m";
  private static final String FREED = "always";
  private static final String NEEDED = "preemption";

  private BacktestHtml() {}

  /**
   * The whole page.
   *
   * @param limit how many of the pods are listed
   */
  public static String of(Backtest backtest, FormatName format, int limit) {
    var page = new ReportPage("What would have been reclaimed", BacktestText.summary(backtest));
    bars(
        page,
        "Idle GPU-hours",
        IDLE,
        backtest,
        each -> BacktestText.inHours(each.account().idle()));
    bars(page, "GPU-hours freed", FREED, backtest, each -> BacktestText.inHours(each.freed()));
    bars(
        page,
        "Reclaimed pods that would have been needed again within an hour",
        NEEDED,
        backtest,
        each -> each.neededWithin(BacktestText.SOON));
    bars(
        page,
        "GPU-hours of unknown activity",
        "none",
        backtest,
        each -> BacktestText.inHours(each.account().unknown()));
    page.table("Namespaces", BacktestText.NAMESPACE_COLUMNS, BacktestText.namespaceRows(backtest));
    List<SimulatedReclamation> reclaims = backtest.reclaims();
    page.table(
        reclaims.size() > limit
            ? "Reclaimed, " + limit + " of " + reclaims.size()
            : "Reclaimed, all " + reclaims.size(),
        BacktestText.RECLAIM_COLUMNS,
        BacktestText.reclaimRows(reclaims, limit));
    page.list(
        "Remarks",
        BacktestText.remarks(backtest, format).stream().map(ReportPage::escaped).toList());
    return page.text();
  }

  /** One bar for each namespace. */
  private static void bars(
      ReportPage page,
      String title,
      String color,
      Backtest backtest,
      ToDoubleFunction<NamespaceResult> value) {
    page.bars(
        title,
        backtest.namespaces().stream()
            .map(
                each -> {
                  double its = value.applyAsDouble(each);
                  return new Bar(
                      each.name(),
                      color,
                      List.of(its),
                      String.format(Locale.ROOT, its == Math.rint(its) ? "%.0f" : "%.1f", its));
                })
            .toList());
  }
}
