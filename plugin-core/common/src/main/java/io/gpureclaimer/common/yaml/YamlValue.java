package io.gpureclaimer.common.yaml;

import java.util.List;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Value in a YAML file, with its position.
 *
 * @param file name of the file
 * @param path keys that lead to the value, such as {@code flags.migStrategy}; empty for the root
 * @param node the value
 */
public record YamlValue(String file, String path, Node node) {
  private static final int LONGEST = 80;

  /** File, line and column, and the path; for messages. */
  public String where() {
    return file
        + ':'
        + (node.getStartMark().getLine() + 1)
        + ':'
        + (node.getStartMark().getColumn() + 1)
        + (path.isEmpty() ? "" : ": " + path);
  }

  /** A value of this mapping. */
  YamlValue child(String key, Node value) {
    return new YamlValue(file, path.isEmpty() ? key : path + '.' + key, value);
  }

  /** An element of this list. */
  YamlValue element(int position, Node value) {
    return new YamlValue(file, path + '[' + position + ']', value);
  }

  /** Whether it is null, as after a key without a value. */
  public boolean isNull() {
    return node.getTag().equals(Tag.NULL);
  }

  public boolean isMapping() {
    return node instanceof MappingNode;
  }

  public boolean isList() {
    return node instanceof SequenceNode;
  }

  /** A message with the position, the rule and the value. */
  public String mustBe(String rule) {
    return where() + " must be " + rule + ", was " + shown();
  }

  /** The value as a message shows it. */
  private String shown() {
    return switch (node) {
      case ScalarNode scalar -> '"' + cut(scalar.getValue()) + '"';
      case SequenceNode list -> "a list of " + list.getValue().size();
      case MappingNode map -> "a mapping with the keys " + cut(String.join(", ", keys(map)));
      default -> node.getNodeId().toString();
    };
  }

  private static List<String> keys(MappingNode map) {
    return map.getValue().stream()
        .map(entry -> entry.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?")
        .toList();
  }

  private static String cut(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }
}
