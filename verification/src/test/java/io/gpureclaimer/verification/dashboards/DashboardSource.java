package io.gpureclaimer.verification.dashboards;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One dashboard as people write it, in {@code grafana/source}.
 *
 * @param variables of {@link Common#variables}, in the order in which they are shown
 */
record DashboardSource(
    String uid, String title, String about, List<String> variables, List<PanelRow> rows) {
  static final Path FOLDER = RepositoryFiles.ROOT.resolve("grafana/source");
  static final List<String> NAMES =
      List.of(
          "fleet", "node", "node-datacenter", "node-details", "namespace", "reclaimer", "exporter");

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** A line of panels under a heading. */
  record PanelRow(String title, List<PanelSource> panels) {}

  /**
   * A variable.
   *
   * @param query whose answers can be chosen
   * @param regex what of an answer can be chosen, in its first group; all if null
   * @param choices words and what they stand for
   * @param text what a text box has at first; of choices, the one that is selected at first
   * @param all whether all can be chosen, also where the label is missing
   */
  record Variable(
      String label,
      @Nullable String query,
      @Nullable String regex,
      @Nullable Map<String, String> choices,
      @Nullable String text,
      boolean all,
      boolean hidden) {}

  /** What the dashboards have in common. */
  record Common(Map<String, String> expressions, LinkedHashMap<String, Variable> variables) {
    private static final Pattern NAME = Pattern.compile("<([a-z-]+)(?: (\\w+))?>");
    private static final String METRIC = "METRIC";

    /**
     * The expression with all names replaced by what they stand for, indented as they are. A metric
     * beside a name is the one that its expression is about.
     */
    String expand(String expression) {
      Matcher name = NAME.matcher(expression);
      if (!name.find()) {
        return expression;
      }
      String before = expression.substring(0, name.start());
      String line = before.substring(before.lastIndexOf('\n') + 1);
      String indent = " ".repeat(line.length() - line.stripLeading().length());
      String meaning = standsFor(name.group(1)).replace("\n", "\n" + indent);
      if (name.group(2) != null) {
        meaning = meaning.replace(METRIC, name.group(2));
      }
      return expand(before + meaning + expression.substring(name.end()));
    }

    private String standsFor(String name) {
      String meaning = expressions.get(name);
      if (meaning == null) {
        throw new IllegalArgumentException("no expression of common.yaml is called " + name);
      }
      return meaning.strip();
    }
  }

  static DashboardSource read(String name) throws IOException {
    return YAML.readValue(FOLDER.resolve(name + ".yaml").toFile(), DashboardSource.class);
  }

  static Common common() throws IOException {
    return YAML.readValue(FOLDER.resolve("common.yaml").toFile(), Common.class);
  }

  List<PanelSource> panels() {
    return rows.stream().flatMap(row -> row.panels().stream()).toList();
  }
}
