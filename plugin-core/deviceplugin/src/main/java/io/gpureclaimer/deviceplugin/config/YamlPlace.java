package io.gpureclaimer.deviceplugin.config;

import java.util.List;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A value in a file, and where it is.
 *
 * @param file the name of the file
 * @param path the keys that lead to it, such as {@code flags.migStrategy}; empty for the whole
 * @param node the value
 */
record YamlPlace(String file, String path, Node node) {
  private static final int LONGEST = 80;

  /** For people: the file, line and column, and the path. */
  String where() {
    return at(node) + (path.isEmpty() ? "" : ": " + path);
  }

  /** The file, line and column of a part of it. */
  String at(Node part) {
    return file
        + ':'
        + (part.getStartMark().getLine() + 1)
        + ':'
        + (part.getStartMark().getColumn() + 1);
  }

  /** One of its values. */
  YamlPlace child(String key, Node value) {
    return new YamlPlace(file, path.isEmpty() ? key : path + '.' + key, value);
  }

  /** One of its elements. */
  YamlPlace element(int position, Node value) {
    return new YamlPlace(file, path + '[' + position + ']', value);
  }

  /** Whether it says nothing. */
  boolean isAbsent() {
    return node.getTag().equals(Tag.NULL);
  }

  /** A message that names the place, the rule and the value. */
  String mustBe(String rule) {
    return where() + " must be " + rule + ", was " + shown();
  }

  /** As a message shows it. */
  String shown() {
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
