package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.show.SimulationText.FigureRow;
import io.gpureclaimer.reclaimer.simulate.ComparedPolicy;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison.PolicyOutcome;
import io.gpureclaimer.reclaimer.simulate.SimulationResult;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.HourlyUsage;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * The comparison of policies as one HTML file that needs no other: charts in SVG and the table of
 * {@link SimulationText}, for light and dark screens.
 */
public final class SimulationHtml {
  private static final int WIDTH = 860;
  private static final int BAR = 26;
  private static final int LABEL = 130;
  private static final int PLOT = 600;
  private static final int HEIGHT = 260;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>GPU policies compared</title>
      <style>
      :root { color-scheme: light dark; --text: #1c2024; --quiet: #5b6570; --line: #d5dae0; --back: #ffffff;
        --none: #6f7780; --report: #9aa2ab; --on-demand: #0b62b8; --always: #0b7d5b;
        --any-gpu-30m: #c2410c; --average-10: #a3368d; --oracle: #9a6a00; }
      @media (prefers-color-scheme: dark) {
        :root { --text: #e7eaee; --quiet: #a3adb8; --line: #3a424b; --back: #14181c;
          --none: #9aa2ab; --report: #727b85; --on-demand: #58a6ff; --always: #3fc79a;
          --any-gpu-30m: #ff9457; --average-10: #e58bd3; --oracle: #e3b341; } }
      body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
        max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
      p { color: var(--quiet); }
      svg { width: 100%; height: auto; } svg text { fill: var(--text); font-size: 13px; }
      .grid { stroke: var(--line); } .spread { stroke: var(--text); }
      .series { fill: none; stroke-width: 1.8; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
      th, td { border-bottom: 1px solid var(--line); padding: .25rem .6rem; text-align: right; white-space: nowrap; }
      th:first-child, td:first-child { text-align: left; }
      </style>
      </head>
      <body>
      """;

  private SimulationHtml() {}

  /** The whole page. */
  public static String of(PolicyComparison comparison) {
    var page = new StringBuilder(HEAD);
    page.append("<h1>GPU policies compared</h1>\n<p>")
        .append(escaped(SimulationText.summary(comparison)))
        .append("</p>\n");
    bars(
        page,
        "Allocated GPUs that are active, %",
        comparison,
        run -> run.usage().activePercent(),
        value -> String.format(Locale.ROOT, "%.0f %%", value));
    bars(
        page,
        "Pending time of the pods, 95th percentile",
        comparison,
        SimulationText.percentile(SimulationResult::allPending, 95),
        SimulationHtml::duration);
    bars(
        page,
        "Useful work, GPU-hours",
        comparison,
        SimulationText.present(run -> run.work().useful()),
        value -> String.format(Locale.ROOT, "%.0f", value));
    bars(
        page,
        "Reclaimed workloads that were active at that second",
        comparison,
        SimulationText.present(run -> run.reclaims().whileActive()),
        value -> String.format(Locale.ROOT, "%.0f", value));
    bars(
        page,
        "Users disturbed, times in the simulated period",
        comparison,
        SimulationText.present(run -> run.reclaims().disturbances()),
        value -> String.format(Locale.ROOT, "%.0f", value));
    series(page, comparison);
    table(page, comparison);
    notes(page, comparison);
    return page.append("</body>\n</html>\n").toString();
  }

  /**
   * One bar for each policy: the mean over the seeds, and a line from the least to the greatest.
   */
  private static void bars(
      StringBuilder page,
      String title,
      PolicyComparison comparison,
      Function<SimulationResult, OptionalDouble> value,
      DoubleFunction<String> format) {
    double most =
        comparison.outcomes().stream()
            .flatMapToDouble(outcome -> DoubleStream.of(FigureRow.values(outcome, value)))
            .max()
            .orElse(0);
    double scale = most == 0 ? 0 : PLOT / most;
    List<PolicyOutcome> outcomes = comparison.outcomes();
    heading(page, title, outcomes.size() * BAR + 4);
    for (int i = 0; i < outcomes.size(); i++) {
      double[] values = FigureRow.values(outcomes.get(i), value);
      int top = i * BAR;
      String code = outcomes.get(i).policy().code();
      add(page, "<text x=\"0\" y=\"%d\">%s</text>%n", top + 17, code);
      if (values.length == 0) {
        add(page, "<text x=\"%d\" y=\"%d\">%s</text>%n", LABEL, top + 17, SimulationText.ABSENT);
        continue;
      }
      double mean = DoubleStream.of(values).average().orElseThrow();
      add(
          page,
          "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"var(--%s)\"/>%n",
          LABEL,
          top + 4,
          Math.max(1, mean * scale),
          code);
      double greatest = values[values.length - 1];
      if (greatest > values[0]) {
        add(
            page,
            "<line class=\"spread\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>%n",
            LABEL + values[0] * scale,
            LABEL + greatest * scale,
            top + 13,
            top + 13);
      }
      add(
          page,
          "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
          LABEL + Math.max(mean, greatest) * scale + 6,
          top + 17,
          format.apply(mean));
    }
    page.append("</svg>\n");
  }

  private static void heading(StringBuilder page, String title, int height) {
    add(
        page,
        "<h2>%s</h2>%n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
        title,
        WIDTH,
        height,
        title);
  }

  /** Active GPUs in each hour of the first seed, one line for each policy. */
  private static void series(StringBuilder page, PolicyComparison comparison) {
    heading(page, "Active GPUs by hour, seed " + comparison.seeds().getFirst(), HEIGHT + 50);
    int hours = comparison.outcomes().getFirst().runs().getFirst().series().size();
    for (int part = 0; part <= 4; part++) {
      double y = HEIGHT + 5 - HEIGHT * part / 4.0;
      add(
          page,
          "<line class=\"grid\" x1=\"50\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>%n<text x=\"0\""
              + " y=\"%.1f\">%d</text>%n",
          WIDTH,
          y,
          y,
          y + 4,
          comparison.gpus() * part / 4);
    }
    int legend = 50;
    for (PolicyOutcome outcome : comparison.outcomes()) {
      line(page, outcome, hours, comparison.gpus());
      String code = outcome.policy().code();
      add(
          page,
          "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"var(--%s)\"/>%n<text x=\"%d\""
              + " y=\"%d\">%s</text>%n",
          legend,
          HEIGHT + 28,
          code,
          legend + 17,
          HEIGHT + 39,
          code);
      legend += 40 + 8 * code.length();
    }
    page.append("</svg>\n");
  }

  private static void line(StringBuilder page, PolicyOutcome outcome, int hours, int gpus) {
    add(page, "<polyline class=\"series\" stroke=\"var(--%s)\" points=\"", outcome.policy().code());
    List<HourlyUsage> series = outcome.runs().getFirst().series();
    for (int hour = 0; hour < series.size(); hour++) {
      add(
          page,
          "%s%.1f,%.1f",
          hour == 0 ? "" : " ",
          50 + (WIDTH - 50) * (hour + 0.5) / hours,
          HEIGHT + 5 - HEIGHT * series.get(hour).active() / gpus);
    }
    page.append("\"/>\n");
  }

  private static void table(StringBuilder page, PolicyComparison comparison) {
    page.append("<h2>All figures</h2>\n<div class=\"scroll\"><table>\n<tr><th></th>");
    comparison.outcomes().forEach(outcome -> add(page, "<th>%s</th>", outcome.policy().code()));
    page.append("</tr>\n");
    for (FigureRow row : SimulationText.rows(comparison)) {
      add(page, "<tr><td>%s</td>", row.name().strip());
      comparison.outcomes().forEach(outcome -> add(page, "<td>%s</td>", row.cell(outcome)));
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  private static void notes(StringBuilder page, PolicyComparison comparison) {
    page.append("<h2>Policies</h2>\n<ul>\n");
    for (PolicyOutcome outcome : comparison.outcomes()) {
      ComparedPolicy policy = outcome.policy();
      add(page, "<li><b>%s</b>: %s</li>%n", policy.code(), policy.text());
    }
    comparison.remarks().forEach(remark -> add(page, "<li>%s</li>%n", escaped(remark)));
    page.append("</ul>\n");
  }

  private static String duration(double seconds) {
    return Durations.format(Duration.ofSeconds(Math.round(seconds)));
  }

  private static void add(StringBuilder page, String format, Object... values) {
    page.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
