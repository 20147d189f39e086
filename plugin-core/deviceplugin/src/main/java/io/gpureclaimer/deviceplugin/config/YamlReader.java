package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.vocabulary.EditDistance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Takes values apart, and tells each mistake. What is wrong is left out. */
final class YamlReader {
  private static final int FARTHEST_TYPO = 4;

  /** What writes numbers as JSON may write 10 so: 10.0. */
  private static final Pattern NO_FRACTION = Pattern.compile("\\.0+$");

  private final Consumer<String> problems;

  YamlReader(Consumer<String> problems) {
    this.problems = problems;
  }

  void problem(String text) {
    problems.accept(text);
  }

  /** The values of a mapping by their keys, without those that say nothing. */
  Map<String, YamlPlace> fields(YamlPlace place, Collection<String> known) {
    if (place.isAbsent()) {
      return Map.of();
    }
    if (!(place.node() instanceof MappingNode map)) {
      problem(place.mustBe("a mapping"));
      return Map.of();
    }
    var fields = new LinkedHashMap<String, YamlPlace>();
    Lineage.of(map, source -> problem(place.child("<<", source).mustBe("a mapping, or several")))
        .forEach(each -> own(place, each, known).forEach(fields::putIfAbsent));
    fields.values().removeIf(YamlPlace::isAbsent);
    return fields;
  }

  private Map<String, YamlPlace> own(YamlPlace place, MappingNode map, Collection<String> known) {
    var fields = new LinkedHashMap<String, YamlPlace>();
    for (NodeTuple entry : map.getValue()) {
      Node key = entry.getKeyNode();
      String name = key instanceof ScalarNode scalar ? scalar.getValue() : "?";
      if (Lineage.isLink(entry)) {
        continue;
      }
      if (!known.contains(name)) {
        problem(unknown(place, key, name, known));
      } else if (fields.put(name, place.child(name, entry.getValueNode())) != null) {
        problem(place.child(name, key).where() + " must be given once, is there again");
      }
    }
    return fields;
  }

  private static String unknown(YamlPlace place, Node key, String name, Collection<String> known) {
    Optional<String> nearest =
        known.stream()
            .filter(other -> EditDistance.of(name, other) <= FARTHEST_TYPO)
            .min(Comparator.comparingInt(other -> EditDistance.of(name, other)));
    String expected =
        nearest
            .map(other -> "; did you mean " + other + "?")
            .orElse("; known are " + String.join(", ", known));
    return place.child(name, key).where() + " is no known key" + expected;
  }

  /** The elements of a list. */
  List<YamlPlace> elements(YamlPlace place) {
    if (!(place.node() instanceof SequenceNode list)) {
      problem(place.mustBe("a list"));
      return List.of();
    }
    var elements = new ArrayList<YamlPlace>();
    for (Node each : list.getValue()) {
      elements.add(place.element(elements.size(), each));
    }
    return elements;
  }

  /** Written as text, which may be empty. */
  Optional<String> text(YamlPlace place) {
    return scalar(place, "a text", Tag.STR);
  }

  /** Written as true or false. */
  Optional<Boolean> truth(YamlPlace place) {
    return scalar(place, "true or false", Tag.BOOL).map(YamlReader::isTrue);
  }

  /** YAML knows several words for it. */
  private static boolean isTrue(String word) {
    return word.matches("(?i)true|yes|on");
  }

  /** Written as a whole number, no less than the least. */
  Optional<Integer> number(YamlPlace place, int least) {
    String rule = "a whole number of at least " + least;
    Optional<String> digits =
        scalar(place, rule, Tag.INT, Tag.FLOAT)
            .map(text -> NO_FRACTION.matcher(text).replaceAll(""));
    if (digits.isPresent() && !isNumber(digits.orElseThrow(), least)) {
      problem(place.mustBe(rule));
      return Optional.empty();
    }
    return digits.map(Integer::valueOf);
  }

  private static boolean isNumber(String digits, int least) {
    return digits.matches("0|[1-9][0-9]{0,8}") && Integer.parseInt(digits) >= least;
  }

  /** Whatever is written, if it is no list nor mapping. */
  Optional<String> scalar(YamlPlace place, String rule, Tag... tags) {
    if (place.node() instanceof ScalarNode scalar
        && (tags.length == 0 || List.of(tags).contains(scalar.getTag()))) {
      return Optional.of(scalar.getValue());
    }
    problem(place.mustBe(rule));
    return Optional.empty();
  }
}
