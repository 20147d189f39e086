package io.gpureclaimer.verification.dashboards;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One panel as people write it.
 *
 * @param kind how it is drawn
 * @param about what it shows, for whom it is new
 * @param size width of 24 and height, such as {@code 12x8}
 * @param unit by Grafana's name
 * @param runbook the alert whose page helps
 * @param thresholds from which value on which color, in rising order
 * @param states words for single values
 * @param colors of lines, by legend
 * @param labels columns of a table
 */
record PanelSource(
    String title,
    PanelKind kind,
    String about,
    String size,
    @Nullable String unit,
    @Nullable Double min,
    @Nullable Double max,
    @Nullable Integer decimals,
    boolean stack,
    @Nullable String runbook,
    @Nullable Map<String, Double> thresholds,
    @Nullable Map<String, String> states,
    @Nullable Map<String, String> colors,
    @Nullable List<LabelColumn> labels,
    List<Query> queries) {

  /** Named as Grafana names its panels. */
  enum PanelKind {
    stat,
    timeseries,
    bargauge,
    table
  }

  /**
   * A label as a column.
   *
   * @param to the dashboard that a click opens
   * @param as the variable that it gets there
   * @param runbook whether the value is an alert whose page a click opens
   * @param width in pixels, where it is not the share of all
   * @param sort whether the table begins with the lowest
   */
  record LabelColumn(
      String name,
      String title,
      @Nullable String to,
      @Nullable String as,
      boolean runbook,
      @Nullable Integer width,
      boolean sort) {}

  /**
   * What is asked for.
   *
   * @param legend of a line
   * @param column of a table
   * @param unit where it differs from the panel's
   * @param decimals where they differ from the panel's
   * @param states words for single values
   * @param right the unit of an axis of its own
   * @param sort whether the table begins with the highest
   */
  record Query(
      String expr,
      @Nullable String legend,
      @Nullable String column,
      @Nullable String unit,
      @Nullable Integer decimals,
      @Nullable Map<String, String> states,
      @Nullable String right,
      boolean sort) {}

  int width() {
    return Integer.parseInt(size.substring(0, size.indexOf('x')));
  }

  int height() {
    return Integer.parseInt(size.substring(size.indexOf('x') + 1));
  }
}
