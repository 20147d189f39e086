package io.gpureclaimer.verification.dashboards;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What people choose at the top of a dashboard.
 *
 * @param chosen by the variable with its dollar; of the variables that are not here, all
 */
public record DashboardVariables(Map<String, String> chosen) {
  public DashboardVariables {
    chosen = Map.copyOf(chosen);
  }

  /** The expression as Grafana would send it. */
  public String fillIn(String expression) {
    String filled = expression;
    // The longest name first: $node begins $node_label.
    List<String> names =
        chosen.keySet().stream()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
    for (String name : names) {
      filled = filled.replace(name, String.valueOf(chosen.get(name)));
    }
    // What a regular expression has found, such as $1, is no variable.
    return filled.replaceAll("\\$[a-z_]\\w*", ".*");
  }
}
