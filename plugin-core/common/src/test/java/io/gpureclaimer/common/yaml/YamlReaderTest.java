package io.gpureclaimer.common.yaml;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YamlReaderTest {
  private static final List<String> KEYS = List.of("name", "count", "on", "list");

  private final List<String> problems = new ArrayList<>();
  private final YamlReader reader = new YamlReader(problems::add);

  private Map<String, YamlValue> fields(String text) {
    return reader.root("a.yaml", text).map(root -> reader.fields(root, KEYS)).orElse(Map.of());
  }

  @Test
  void readsScalarsAndLists() {
    var fields = fields("name: x\ncount: 3\non: yes\nlist: [a, b]\n");

    assertThat(reader.text(requireNonNull(fields.get("name")))).contains("x");
    assertThat(reader.integer(requireNonNull(fields.get("count")), 1, 3)).contains(3);
    assertThat(reader.bool(requireNonNull(fields.get("on")))).contains(true);
    assertThat(reader.elements(requireNonNull(fields.get("list"))))
        .extracting(YamlValue::path)
        .containsExactly("list[0]", "list[1]");
    assertThat(problems).isEmpty();
  }

  @Test
  void suggestsTheNearestKey_whenOneIsUnknown() {
    fields("\nnmae: x\n");

    assertThat(problems).containsExactly("a.yaml:2:1: nmae is no known key; did you mean name?");
  }

  @Test
  void reportsARepeatedKey() {
    fields("name: x\nname: y\n");

    assertThat(problems).containsExactly("a.yaml:2:1: name must be given once, is there again");
  }

  @Test
  void reportsPositionRuleAndValue() {
    var fields = fields("count: 12\nlist:\n  a: 1\n");

    assertThat(reader.integer(requireNonNull(fields.get("count")), 0, 9)).isEmpty();
    assertThat(reader.elements(requireNonNull(fields.get("list")))).isEmpty();
    assertThat(problems)
        .containsExactly(
            "a.yaml:1:8: count must be a whole number from 0 to 9, was \"12\"",
            "a.yaml:3:3: list must be a list, was a mapping with the keys a");
  }

  @Test
  void takesJsonWithTabsAndAByteOrderMark() {
    assertThat(fields("\uFEFF{\n\t\"count\": 10.0\n}")).containsOnlyKeys("count");
    assertThat(problems).isEmpty();
  }

  @Test
  void reportsWhereTheTextIsNotYaml() {
    assertThat(reader.root("a.yaml", "a: [")).isEmpty();

    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("a.yaml:1:5 is neither YAML nor JSON: ");
  }

  @Test
  void takesValuesOfMergedMappings_whereThereIsNoOwn() {
    var fields = fields("list: &l {name: x, count: 1}\n<<: *l\nname: y\n");

    assertThat(reader.text(requireNonNull(fields.get("name")))).contains("y");
    assertThat(reader.integer(requireNonNull(fields.get("count")), 0)).contains(1);
  }

  @Test
  void readsForeignDocumentsWithoutChecks() {
    assertThat(YamlReader.tree("{\"a\": [1]}")).contains(Map.of("a", List.of(1)));
    assertThat(YamlReader.tree("a: [")).isEmpty();
  }

  @Test
  void readsEveryDocumentOfAForeignFile() {
    assertThat(reader.trees("a.yaml", "a: 1\n---\n---\nb: 2\n"))
        .containsExactly(Map.of("a", 1), Map.of("b", 2));
    assertThat(problems).isEmpty();
  }

  @Test
  void reportsWhereAForeignFileIsNotYaml() {
    reader.trees("a.yaml", "a: 1\n---\nb: [");

    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("a.yaml:3:5 is neither YAML nor JSON: ");
  }
}
