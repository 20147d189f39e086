package io.gpureclaimer.common.yaml;

import io.gpureclaimer.common.vocabulary.EditDistance;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Strict reader of YAML and JSON. Each mistake is one problem that names the file, line and column,
 * the path, the rule and the value that was found; the value itself is left out. Unknown and
 * repeated keys are problems.
 */
public final class YamlReader {
  private static final int FARTHEST_TYPO = 4;

  /** Some JSON writers write 10 as 10.0. */
  private static final Pattern NO_FRACTION = Pattern.compile("\\.0+$");

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final Consumer<String> problems;

  /**
   * @param problems takes each problem
   */
  public YamlReader(Consumer<String> problems) {
    this.problems = problems;
  }

  public void problem(String text) {
    problems.accept(text);
  }

  /**
   * The root of a document; empty if it has no content or is neither YAML nor JSON.
   *
   * @param file name for messages
   */
  public Optional<YamlValue> root(String file, String text) {
    try {
      @Nullable Node root = yaml().compose(new StringReader(normalized(text)));
      return Optional.ofNullable(root).map(node -> new YamlValue(file, "", node));
    } catch (YAMLException e) {
      problem(malformed(file, e));
      return Optional.empty();
    }
  }

  /**
   * Maps, lists and scalars of all documents of a file that is not ours; what they hold is not
   * checked.
   *
   * @param file name for messages
   */
  public List<Object> trees(String file, String text) {
    var trees = new ArrayList<Object>();
    try {
      for (@Nullable Object tree : yaml().loadAll(normalized(text))) {
        if (tree != null) {
          trees.add(tree);
        }
      }
    } catch (YAMLException e) {
      problem(malformed(file, e));
    }
    return trees;
  }

  private static String normalized(String text) {
    String plain = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    // JSON may be indented by tabs, YAML may not.
    return plain.stripLeading().startsWith("{") ? plain.replace('\t', ' ') : plain;
  }

  private static String malformed(String file, YAMLException failure) {
    return switch (failure) {
      case MarkedYAMLException at ->
          file
              + ':'
              + (at.getProblemMark().getLine() + 1)
              + ':'
              + (at.getProblemMark().getColumn() + 1)
              + " is neither YAML nor JSON: "
              + at.getProblem();
      default -> file + " is neither YAML nor JSON: " + failure.getMessage();
    };
  }

  /**
   * Maps, lists and scalars of a document that is not ours, without any check; empty if it has no
   * content or is neither YAML nor JSON.
   */
  public static Optional<Object> tree(String text) {
    try {
      return Optional.ofNullable(yaml().load(text));
    } catch (YAMLException _) {
      return Optional.empty();
    }
  }

  private static Yaml yaml() {
    return new Yaml(new SafeConstructor(new LoaderOptions()));
  }

  /** The values of a mapping by key, without those that are null. */
  public Map<String, YamlValue> fields(YamlValue value, Collection<String> known) {
    Map<String, YamlValue> fields = entries(value, known);
    fields.values().removeIf(YamlValue::isNull);
    return fields;
  }

  /** The values of a mapping by key, also those that are null; any key is allowed. */
  public Map<String, YamlValue> entries(YamlValue value) {
    return entries(value, null);
  }

  private Map<String, YamlValue> entries(YamlValue value, @Nullable Collection<String> known) {
    var entries = new LinkedHashMap<String, YamlValue>();
    if (value.node() instanceof MappingNode map) {
      for (MappingNode each : withMerged(value, map)) {
        ownEntries(value, each, known).forEach(entries::putIfAbsent);
      }
    } else if (!value.isNull()) {
      problem(value.mustBe("a mapping"));
    }
    return entries;
  }

  /** One of the values of a mapping, which has to be there. */
  public Optional<YamlValue> required(
      YamlValue mapping, Map<String, YamlValue> fields, String key) {
    Optional<YamlValue> value = Optional.ofNullable(fields.get(key));
    if (value.isEmpty()) {
      problem(mapping.where() + '.' + key + " must be given, was not");
    }
    return value;
  }

  private Map<String, YamlValue> ownEntries(
      YamlValue value, MappingNode map, @Nullable Collection<String> known) {
    var fields = new LinkedHashMap<String, YamlValue>();
    for (NodeTuple entry : map.getValue()) {
      Node key = entry.getKeyNode();
      String name = key instanceof ScalarNode scalar ? scalar.getValue() : "?";
      if (isMerge(entry)) {
        continue;
      }
      if (known != null && !known.contains(name)) {
        problem(value.child(name, key).where() + " is no known key" + suggestion(name, known));
      } else if (fields.put(name, value.child(name, entry.getValueNode())) != null) {
        problem(value.child(name, key).where() + " must be given once, is there again");
      }
    }
    return fields;
  }

  private static String suggestion(String name, Collection<String> known) {
    return known.stream()
        .filter(other -> EditDistance.of(name, other) <= FARTHEST_TYPO)
        .min(Comparator.comparingInt(other -> EditDistance.of(name, other)))
        .map(other -> "; did you mean " + other + "?")
        .orElse("; known are " + String.join(", ", known));
  }

  /** The mapping, then those that it merges by YAML's key {@code <<}; the first value counts. */
  private List<MappingNode> withMerged(YamlValue value, MappingNode map) {
    var found = new ArrayList<MappingNode>();
    addMerged(value, map, found, Collections.newSetFromMap(new IdentityHashMap<>()));
    return found;
  }

  /** An alias may lead back to where it stands. */
  private void addMerged(YamlValue value, Node source, List<MappingNode> found, Set<Node> seen) {
    switch (source) {
      case MappingNode map -> {
        if (seen.add(map)) {
          found.add(map);
          map.getValue().stream()
              .filter(YamlReader::isMerge)
              .forEach(entry -> addMerged(value, entry.getValueNode(), found, seen));
        }
      }
      case SequenceNode list
          when list.getValue().stream().allMatch(MappingNode.class::isInstance) ->
          list.getValue().forEach(each -> addMerged(value, each, found, seen));
      default -> problem(value.child("<<", source).mustBe("a mapping, or several"));
    }
  }

  private static boolean isMerge(NodeTuple entry) {
    return entry.getKeyNode().getTag().equals(Tag.MERGE);
  }

  /** The elements of a list. */
  public List<YamlValue> elements(YamlValue value) {
    if (!(value.node() instanceof SequenceNode list)) {
      problem(value.mustBe("a list"));
      return List.of();
    }
    var elements = new ArrayList<YamlValue>();
    for (Node each : list.getValue()) {
      elements.add(value.element(elements.size(), each));
    }
    return elements;
  }

  /** A string, which may be empty. */
  public Optional<String> text(YamlValue value) {
    return scalar(value, "a text", Tag.STR);
  }

  /** A boolean, in any of YAML's spellings. */
  public Optional<Boolean> bool(YamlValue value) {
    return scalar(value, "true or false", Tag.BOOL).map(word -> word.matches("(?i)true|yes|on"));
  }

  /** A whole number of at least {@code least}. */
  public Optional<Integer> integer(YamlValue value, int least) {
    return integer(value, least, 999_999_999, "a whole number of at least " + least);
  }

  /** A whole number from {@code least} to {@code most}, which is below a billion. */
  public Optional<Integer> integer(YamlValue value, int least, int most) {
    return integer(value, least, most, "a whole number from " + least + " to " + most);
  }

  private Optional<Integer> integer(YamlValue value, int least, int most, String rule) {
    Optional<String> digits =
        scalar(value, rule, Tag.INT, Tag.FLOAT)
            .map(text -> NO_FRACTION.matcher(text).replaceAll(""));
    Optional<Integer> number =
        digits
            .filter(text -> text.matches("0|[1-9][0-9]{0,8}"))
            .map(Integer::valueOf)
            .filter(it -> it >= least && it <= most);
    if (digits.isPresent() && number.isEmpty()) {
      problem(value.mustBe(rule));
    }
    return number;
  }

  /** Any value that is neither a list nor a mapping, of one of {@code tags} if there are any. */
  public Optional<String> scalar(YamlValue value, String rule, Tag... tags) {
    if (value.node() instanceof ScalarNode scalar
        && (tags.length == 0 || List.of(tags).contains(scalar.getTag()))) {
      return Optional.of(scalar.getValue());
    }
    problem(value.mustBe(rule));
    return Optional.empty();
  }
}
