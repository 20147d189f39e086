package io.gpureclaimer.verification.dashboards;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpureclaimer.verification.dashboards.DashboardSource.Common;
import io.gpureclaimer.verification.dashboards.DashboardSource.PanelRow;
import io.gpureclaimer.verification.dashboards.DashboardSource.Variable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A dashboard as Grafana reads it. */
final class GrafanaDashboard {
  static final String TAG = "gpu-reclaimer";
  static final Map<String, Object> DATA_SOURCE =
      object("type", "prometheus", "uid", "${datasource}");

  private static final int SCHEMA_VERSION = 39;
  private static final int WIDTH = 24;

  private final Common common;

  GrafanaDashboard(Common common) {
    this.common = common;
  }

  String json(DashboardSource source) throws JsonProcessingException {
    var printer =
        new DefaultPrettyPrinter()
            .withArrayIndenter(new DefaultIndenter("  ", "\n"))
            .withObjectIndenter(new DefaultIndenter("  ", "\n"));
    return new ObjectMapper().writer(printer).writeValueAsString(dashboard(source)) + "\n";
  }

  private Map<String, Object> dashboard(DashboardSource source) {
    return object(
        "uid", source.uid(),
        "title", source.title(),
        "description", source.about(),
        "tags", List.of(TAG),
        "schemaVersion", SCHEMA_VERSION,
        "editable", true,
        "graphTooltip", 1,
        "refresh", "1m",
        "time", object("from", "now-6h", "to", "now"),
        "links", List.of(otherDashboards(), runbooks()),
        "templating", object("list", variables(source.variables())),
        "panels", panels(source.rows()));
  }

  private static Map<String, Object> otherDashboards() {
    return link("dashboards", "Other GPU dashboards", "", List.of(TAG));
  }

  private static Map<String, Object> runbooks() {
    return link("link", "Runbooks", "${runbooks}", List.of());
  }

  static Map<String, Object> link(String type, String title, String url, List<String> tags) {
    return object(
        "type",
        type,
        "title",
        title,
        "url",
        url,
        "tags",
        tags,
        "icon",
        "external link",
        "tooltip",
        "",
        "asDropdown",
        false,
        "includeVars",
        true,
        "keepTime",
        true,
        "targetBlank",
        type.equals("link"));
  }

  private List<Object> variables(List<String> names) {
    var list = new ArrayList<Object>();
    list.add(
        object(
            "name",
            "datasource",
            "label",
            "Data source",
            "type",
            "datasource",
            "query",
            "prometheus"));
    for (String name : names) {
      list.add(variable(name, requireNonNull(common.variables().get(name), name)));
    }
    return list;
  }

  private static Map<String, Object> variable(String name, Variable of) {
    var variable = object("name", name, "label", of.label(), "hide", of.hidden() ? 2 : 0);
    if (of.query() != null) {
      variable.putAll(
          object(
              "type",
              "query",
              "datasource",
              DATA_SOURCE,
              "definition",
              of.query(),
              "query",
              object("query", of.query(), "refId", name),
              "refresh",
              2,
              "sort",
              1));
    }
    if (of.regex() != null) {
      variable.put("regex", of.regex());
    }
    if (of.all()) {
      variable.putAll(
          object(
              "multi",
              true,
              "includeAll",
              true,
              "allValue",
              ".*",
              "current",
              object("text", List.of("All"), "value", List.of("$__all"))));
    }
    if (of.choices() != null) {
      String current = of.text() == null ? of.choices().keySet().iterator().next() : of.text();
      variable.putAll(
          object(
              "type", "custom",
              "query", choices(of.choices()),
              "current", object("text", current, "value", of.choices().get(current))));
    } else if (of.text() != null) {
      variable.putAll(
          object(
              "type", "textbox",
              "query", of.text(),
              "current", object("text", of.text(), "value", of.text())));
    }
    return variable;
  }

  private static String choices(Map<String, String> choices) {
    return choices.entrySet().stream()
        .map(choice -> choice.getKey() + " : " + choice.getValue())
        .collect(Collectors.joining(", "));
  }

  /** Row by row, from left to right, as many beside each other as there is room for. */
  private List<Object> panels(List<PanelRow> rows) {
    var panels = new ArrayList<Object>();
    int top = 0;
    for (PanelRow row : rows) {
      panels.add(heading(row.title(), panels.size() + 1, top));
      top++;
      int left = 0;
      int bottom = top;
      for (PanelSource source : row.panels()) {
        if (left + source.width() > WIDTH) {
          left = 0;
          top = bottom;
        }
        var place = object("x", left, "y", top, "w", source.width(), "h", source.height());
        panels.add(new GrafanaPanel(common, source).json(panels.size() + 1, place));
        left += source.width();
        bottom = Math.max(bottom, top + source.height());
      }
      top = bottom;
    }
    return panels;
  }

  private static Map<String, Object> heading(String title, int id, int top) {
    return object(
        "id",
        id,
        "type",
        "row",
        "title",
        title,
        "collapsed",
        false,
        "gridPos",
        object("x", 0, "y", top, "w", WIDTH, "h", 1),
        "panels",
        List.of());
  }

  /** Names and values in turn, in this order. */
  static Map<String, Object> object(@Nullable Object... namesAndValues) {
    var object = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
  }
}
