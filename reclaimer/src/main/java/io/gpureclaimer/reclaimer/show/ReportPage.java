package io.gpureclaimer.reclaimer.show;

import java.util.List;
import java.util.Locale;

/**
 * An HTML report that needs no other file: bars in SVG, tables and lists, for light and dark
 * screens. Confined to one thread.
 */
final class ReportPage {
  static final int WIDTH = 860;

  private static final int BAR = 26;
  private static final int LABEL = 130;
  private static final int PLOT = 600;
  private static final int LONGEST_LABEL = 17;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>TITLE</title>
      <style>
      :root { color-scheme: light dark; --text: #1c2024; --quiet: #5b6570; --line: #d5dae0; --back: #ffffff;
        --none: #6f7780; --preemption: #b4232f; --report: #9aa2ab; --on-demand: #0b62b8; --always: #0b7d5b;
        --any-gpu-30m: #c2410c; --average-10: #a3368d; --oracle: #9a6a00; }
      @media (prefers-color-scheme: dark) {
        :root { --text: #e7eaee; --quiet: #a3adb8; --line: #3a424b; --back: #14181c;
          --none: #9aa2ab; --preemption: #ff7b86; --report: #727b85; --on-demand: #58a6ff; --always: #3fc79a;
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

  private final StringBuilder page;

  ReportPage(String title, String summary) {
    page = new StringBuilder(HEAD.replace("TITLE", escaped(title)));
    page.append("<h1>").append(escaped(title)).append("</h1>\n");
    summary.lines().forEach(line -> page.append("<p>").append(escaped(line)).append("</p>\n"));
  }

  /**
   * A bar of a chart.
   *
   * @param color name of a color of the page
   * @param values of which the bar is the mean, in order; empty where there is none
   * @param text the value for people
   */
  record Bar(String label, String color, List<Double> values, String text) {
    Bar {
      values = List.copyOf(values);
    }

    double mean() {
      return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
  }

  /** One bar for the mean of its values, and a line from the least to the greatest. */
  void bars(String title, List<Bar> bars) {
    double most =
        bars.stream()
            .flatMap(bar -> bar.values().stream())
            .mapToDouble(each -> each)
            .max()
            .orElse(0);
    double scale = most == 0 ? 0 : PLOT / most;
    heading(title, bars.size() * BAR + 4);
    for (int i = 0; i < bars.size(); i++) {
      bar(bars.get(i), i * BAR, scale);
    }
    page.append("</svg>\n");
  }

  private void bar(Bar bar, int top, double scale) {
    add("<text x=\"0\" y=\"%d\">%s</text>%n", top + 17, escaped(shortened(bar.label())));
    if (bar.values().isEmpty()) {
      add("<text x=\"%d\" y=\"%d\">%s</text>%n", LABEL, top + 17, SimulationText.ABSENT);
      return;
    }
    add(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"var(--%s)\"/>%n",
        LABEL, top + 4, Math.max(1, bar.mean() * scale), bar.color());
    double least = bar.values().getFirst();
    double greatest = bar.values().getLast();
    if (greatest > least) {
      add(
          "<line class=\"spread\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>%n",
          LABEL + least * scale, LABEL + greatest * scale, top + 13, top + 13);
    }
    add(
        "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
        LABEL + Math.max(bar.mean(), greatest) * scale + 6, top + 17, escaped(bar.text()));
  }

  private static String shortened(String label) {
    return label.length() > LONGEST_LABEL ? label.substring(0, LONGEST_LABEL - 1) + "…" : label;
  }

  /** The heading of a chart and the beginning of its SVG. */
  void heading(String title, int height) {
    add(
        "<h2>%s</h2>%n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
        escaped(title), WIDTH, height, escaped(title));
  }

  void table(String title, List<String> header, List<List<String>> rows) {
    add("<h2>%s</h2>%n<div class=\"scroll\"><table>%n<tr>", escaped(title));
    header.forEach(cell -> add("<th>%s</th>", escaped(cell)));
    page.append("</tr>\n");
    for (List<String> row : rows) {
      page.append("<tr>");
      row.forEach(cell -> add("<td>%s</td>", escaped(cell)));
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  /** A list of sentences, of which some are HTML already. */
  void list(String title, List<String> items) {
    add("<h2>%s</h2>%n<ul>%n", escaped(title));
    items.forEach(item -> page.append("<li>").append(item).append("</li>\n"));
    page.append("</ul>\n");
  }

  /** Text with values; a line feed is written as in {@link String#format}. */
  void add(String format, Object... values) {
    page.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
  }

  /** The whole page. */
  String text() {
    return page + "</body>\n</html>\n";
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
