package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The table of values in the chart's README is made of the comments in values.yaml. Rewrite it with
 * {@code -Dgolden.update=true}.
 */
class ChartReadmeGoldenTest {
  private static final Path README = Chart.FOLDER.resolve("README.md");
  private static final Pattern TABLE =
      Pattern.compile(
          "(?s)(?<=\\| value \\| default \\| meaning \\|\\n\\|---\\|---\\|---\\|\\n).*?(?=\\n\\n|\\z)");
  private static final Pattern KEY = Pattern.compile("( *)([A-Za-z]+):.*");

  @Test
  void hasEveryValue() throws IOException {
    String readme = Files.readString(README);
    String wanted = TABLE.matcher(readme).replaceFirst(Matcher.quoteReplacement(table()));

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(README, wanted);
    }
    assertThat(Files.readString(README)).isEqualTo(wanted);
  }

  @Test
  void everyValueIsCommented() throws IOException {
    var comments = comments();

    assertThat(defaults().keySet()).allSatisfy(value -> assertThat(comments).containsKey(value));
    assertThat(comments.values()).allSatisfy(comment -> assertThat(comment).endsWith("."));
  }

  @Test
  void theSchemaKnowsTheSameValues() throws IOException {
    JsonNode schema =
        new ObjectMapper().readTree(Chart.FOLDER.resolve("values.schema.json").toFile());
    var known = new TreeSet<String>();
    collectLeaves("", schema, known);

    assertThat(known).isEqualTo(new TreeSet<>(defaults().keySet()));
  }

  private static void collectLeaves(String path, JsonNode schema, Set<String> into) {
    if (!schema.has("properties")) {
      into.add(path);
      return;
    }
    assertThat(schema.path("additionalProperties").isBoolean()).as("%s is closed", path).isTrue();
    schema
        .get("properties")
        .properties()
        .forEach(
            property ->
                collectLeaves(
                    path.isEmpty() ? property.getKey() : path + '.' + property.getKey(),
                    property.getValue(),
                    into));
  }

  private static String table() throws IOException {
    Map<String, String> comments = comments();
    var rows = new ArrayList<String>();
    defaults()
        .forEach(
            (value, normal) ->
                rows.add(
                    "| `%s` | %s | %s |"
                        .formatted(
                            value,
                            normal.equals("\"\"") ? "" : '`' + normal.replace("\"", "") + '`',
                            comments.getOrDefault(value, "").replace("|", "\\|"))));
    return String.join("\n", rows);
  }

  /** Each value that can be set, with its default as JSON. */
  private static Map<String, String> defaults() throws IOException {
    var found = new LinkedHashMap<String, String>();
    JsonNode schema =
        new ObjectMapper().readTree(Chart.FOLDER.resolve("values.schema.json").toFile());
    collectDefaults("", new YAMLMapper().readTree(Files.readString(values())), schema, found);
    return found;
  }

  private static void collectDefaults(
      String path, JsonNode value, JsonNode schema, Map<String, String> into) {
    if (!schema.has("properties")) {
      into.put(path, value.toString());
      return;
    }
    value
        .properties()
        .forEach(
            entry ->
                collectDefaults(
                    path.isEmpty() ? entry.getKey() : path + '.' + entry.getKey(),
                    entry.getValue(),
                    schema.path("properties").path(entry.getKey()),
                    into));
  }

  /** What stands above each key. */
  private static Map<String, String> comments() throws IOException {
    var found = new LinkedHashMap<String, String>();
    var path = new ArrayList<String>();
    var above = new StringBuilder();
    for (String line : Files.readAllLines(values())) {
      Matcher key = KEY.matcher(line);
      if (line.strip().startsWith("#")) {
        above.append(above.isEmpty() ? "" : " ").append(line.strip().substring(1).strip());
      } else if (line.isBlank()) {
        above.setLength(0);
      } else if (key.matches()) {
        // Within a default, such as a list of tolerations, there may be keys that are no values.
        List<String> parents = path.subList(0, Math.min(path.size(), key.group(1).length() / 2));
        path.subList(parents.size(), path.size()).clear();
        path.add(key.group(2));
        if (!above.isEmpty()) {
          found.put(String.join(".", path), above.toString());
        }
        above.setLength(0);
      }
    }
    return found;
  }

  private static Path values() {
    return Chart.FOLDER.resolve("values.yaml");
  }
}
