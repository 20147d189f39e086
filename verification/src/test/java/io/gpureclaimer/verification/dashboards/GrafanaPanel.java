package io.gpureclaimer.verification.dashboards;

import static io.gpureclaimer.verification.dashboards.GrafanaDashboard.object;

import io.gpureclaimer.verification.dashboards.DashboardSource.Common;
import io.gpureclaimer.verification.dashboards.PanelSource.LabelColumn;
import io.gpureclaimer.verification.dashboards.PanelSource.PanelKind;
import io.gpureclaimer.verification.dashboards.PanelSource.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A panel as Grafana reads it. What is not there is shown as a gap or as no data, never as 0. */
final class GrafanaPanel {
  private final Common common;
  private final PanelSource source;

  GrafanaPanel(Common common, PanelSource source) {
    this.common = common;
    this.source = source;
  }

  Map<String, Object> json(int id, Map<String, Object> place) {
    var panel =
        object(
            "id", id,
            "type", source.kind().name(),
            "title", source.title(),
            "description", source.about(),
            "gridPos", place,
            "datasource", GrafanaDashboard.DATA_SOURCE,
            "targets", targets(),
            "fieldConfig", object("defaults", defaults(), "overrides", overrides()),
            "options", options());
    if (source.runbook() != null) {
      panel.put("links", List.of(runbook(source.runbook())));
    }
    if (source.kind() == PanelKind.table) {
      panel.put("transformations", transformations());
    }
    return panel;
  }

  private static Map<String, Object> runbook(String alert) {
    return GrafanaDashboard.link(
        "link", "Runbook: " + alert, "${runbooks}/" + alert + ".md", List.of());
  }

  private List<Object> targets() {
    var targets = new ArrayList<Object>();
    for (Query query : source.queries()) {
      var target =
          object(
              "refId",
              refId(targets.size()),
              "datasource",
              GrafanaDashboard.DATA_SOURCE,
              "editorMode",
              "code",
              "expr",
              common.expand(query.expr()),
              "format",
              source.kind() == PanelKind.table ? "table" : "time_series");
      target.put(source.kind() == PanelKind.timeseries ? "range" : "instant", true);
      if (query.legend() != null) {
        target.put("legendFormat", query.legend());
      }
      targets.add(target);
    }
    return targets;
  }

  private static String refId(int index) {
    return String.valueOf((char) ('A' + index));
  }

  private Map<String, Object> defaults() {
    var defaults = new LinkedHashMap<String, Object>();
    putIfThere(defaults, "unit", source.unit());
    putIfThere(defaults, "min", source.min());
    putIfThere(defaults, "max", source.max());
    putIfThere(defaults, "decimals", source.decimals());
    defaults.put("color", object("mode", colorMode()));
    defaults.put("thresholds", object("mode", "absolute", "steps", steps()));
    if (source.states() != null) {
      defaults.put("mappings", mappings(source.states()));
    }
    if (source.kind() == PanelKind.timeseries) {
      defaults.put("custom", lines());
    }
    return defaults;
  }

  private static void putIfThere(Map<String, Object> into, String name, @Nullable Object value) {
    if (value != null) {
      into.put(name, value);
    }
  }

  private String colorMode() {
    return source.kind() == PanelKind.timeseries ? "palette-classic" : "thresholds";
  }

  /** What has no value has no color: neither good nor bad is known of it. */
  private List<Object> steps() {
    if (source.kind() != PanelKind.stat) {
      return List.of(object("color", "blue", "value", null));
    }
    var steps = new ArrayList<Object>();
    steps.add(object("color", "text", "value", null));
    Map<String, Double> thresholds =
        source.thresholds() == null ? Map.of("blue", 0.0) : source.thresholds();
    thresholds.forEach((color, from) -> steps.add(object("color", color, "value", from)));
    return steps;
  }

  private static List<Object> mappings(Map<String, String> states) {
    var options = new LinkedHashMap<String, Object>();
    states.forEach((value, text) -> options.put(value, object("text", text)));
    return List.of(object("type", "value", "options", options));
  }

  private Map<String, Object> lines() {
    var lines = style();
    if (isCount()) {
      lines.put("axisSoftMax", 1);
    }
    return lines;
  }

  /** Of things that are counted. Grafana draws an axis up to 100 where all of them are 0. */
  private boolean isCount() {
    return Integer.valueOf(0).equals(source.decimals()) && source.max() == null;
  }

  private Map<String, Object> style() {
    return object(
        "drawStyle",
        "line",
        "lineWidth",
        1,
        "fillOpacity",
        source.stack() ? 30 : 5,
        "showPoints",
        "never",
        "spanNulls",
        false,
        "stacking",
        object("mode", source.stack() ? "normal" : "none", "group", "A"));
  }

  private Map<String, Object> options() {
    var reduce = object("calcs", List.of("lastNotNull"), "fields", "", "values", false);
    return switch (source.kind()) {
      case stat ->
          object(
              "reduceOptions", reduce,
              "colorMode", "value",
              "graphMode", "none",
              "justifyMode", "auto",
              "orientation", "auto",
              "textMode", "auto");
      case bargauge ->
          object(
              "reduceOptions",
              reduce,
              "displayMode",
              "basic",
              "orientation",
              "horizontal",
              "sizing",
              "manual",
              "minVizHeight",
              16,
              "maxVizHeight",
              28);
      case timeseries ->
          object(
              "legend",
                  object(
                      "displayMode",
                      "list",
                      "placement",
                      "bottom",
                      "showLegend",
                      true,
                      "calcs",
                      List.of()),
              "tooltip", object("mode", "multi", "sort", "desc"));
      case table -> tableOptions();
    };
  }

  private Map<String, Object> tableOptions() {
    var options = object("showHeader", true, "cellHeight", "sm");
    var sortBy = new ArrayList<Object>();
    columns().stream()
        .filter(LabelColumn::sort)
        .forEach(column -> sortBy.add(object("displayName", column.title(), "desc", false)));
    source.queries().stream()
        .filter(Query::sort)
        .forEach(query -> sortBy.add(object("displayName", query.column(), "desc", true)));
    if (!sortBy.isEmpty()) {
      options.put("sortBy", sortBy);
    }
    return options;
  }

  private List<Object> overrides() {
    var overrides = new ArrayList<Object>();
    for (int i = 0; i < source.queries().size(); i++) {
      Query query = source.queries().get(i);
      if (query.column() != null) {
        overrides.addAll(ofColumn(query.column(), query));
      }
      if (query.right() != null) {
        overrides.add(rightAxis(refId(i), query.right()));
      }
    }
    if (source.colors() != null) {
      source
          .colors()
          .forEach(
              (legend, color) ->
                  overrides.add(
                      override(
                          "byName",
                          legend,
                          "color",
                          object("mode", "fixed", "fixedColor", color))));
    }
    for (LabelColumn column : columns()) {
      if (column.width() != null) {
        overrides.add(override("byName", column.title(), "custom.width", column.width()));
      }
      if (column.to() != null) {
        overrides.add(override("byName", column.title(), "links", List.of(open(column))));
      }
      if (column.runbook()) {
        overrides.add(
            override(
                "byName",
                column.title(),
                "links",
                List.of(
                    object(
                        "title", "Runbook",
                        "url", "${runbooks}/${__value.raw}.md",
                        "targetBlank", true))));
      }
    }
    return overrides;
  }

  private static List<Object> ofColumn(String title, Query query) {
    var overrides = new ArrayList<Object>();
    if (query.unit() != null) {
      overrides.add(override("byName", title, "unit", query.unit()));
    }
    if (query.decimals() != null) {
      overrides.add(override("byName", title, "decimals", query.decimals()));
    }
    if (query.states() != null) {
      overrides.add(override("byName", title, "mappings", mappings(query.states())));
    }
    return overrides;
  }

  private static Map<String, Object> open(LabelColumn column) {
    return object(
        "title", "Open " + column.title().toLowerCase(Locale.ROOT),
        "url",
            "/d/"
                + column.to()
                + "?${datasource:queryparam}&${cluster:queryparam}&var-"
                + column.as()
                + "=${__value.raw}");
  }

  private static Map<String, Object> override(
      String by, String options, String property, Object value) {
    return object(
        "matcher", object("id", by, "options", options),
        "properties", List.of(object("id", property, "value", value)));
  }

  private static Map<String, Object> rightAxis(String refId, String unit) {
    return object(
        "matcher", object("id", "byFrameRefID", "options", refId),
        "properties",
            List.of(
                object("id", "custom.axisPlacement", "value", "right"),
                object("id", "unit", "value", unit),
                object("id", "decimals", "value", 0),
                object("id", "max", "value", null)));
  }

  private List<LabelColumn> columns() {
    return source.labels() == null ? List.of() : source.labels();
  }

  /** One line for each set of labels, with a column for each query. */
  private List<Object> transformations() {
    var names = new LinkedHashMap<String, Object>();
    var order = new LinkedHashMap<String, Object>();
    for (LabelColumn column : columns()) {
      for (String label : spellings(column.name())) {
        names.put(label, column.title());
        order.put(label, order.size());
      }
    }
    for (int i = 0; i < source.queries().size(); i++) {
      String field = source.queries().size() == 1 ? "Value" : "Value #" + refId(i);
      names.put(field, source.queries().get(i).column());
      order.put(field, order.size());
    }
    return List.of(
        object("id", "merge", "options", object()),
        object(
            "id",
            "organize",
            "options",
            object(
                "excludeByName", object("Time", true),
                "renameByName", names,
                "indexByName", order)));
  }

  /** The label that names the node is spelled in two ways. */
  private static List<String> spellings(String label) {
    return label.equals("hostname") ? List.of("hostname", "Hostname") : List.of(label);
  }
}
