package io.gpureclaimer.exporter.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A mapping of a YAML file whose values are read by key. Errors name the line. */
final class YamlSection {
  private final String path;
  private final Map<String, Node> values;

  private YamlSection(String path, Map<String, Node> values) {
    this.path = path;
    this.values = values;
  }

  /** The whole file; an empty one is an empty mapping. */
  static YamlSection whole(Optional<Node> root) throws InvalidWebConfig {
    return root.isPresent() ? of("", root.get()) : new YamlSection("", Map.of());
  }

  private static YamlSection of(String path, Node node) throws InvalidWebConfig {
    if (isEmpty(node)) {
      return new YamlSection(path, Map.of());
    }
    if (!(node instanceof MappingNode mapping)) {
      throw invalid(node, path, "must be a mapping");
    }
    var values = new LinkedHashMap<String, Node>();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw invalid(entry.getKeyNode(), path, "must have texts as keys");
      }
      if (values.put(key.getValue(), entry.getValueNode()) != null) {
        throw invalid(key, under(path, key.getValue()), "must be given once");
      }
    }
    return new YamlSection(path, values);
  }

  /**
   * Refuses keys that are known but not supported.
   *
   * @param unsupported what to do or what happens instead, by key
   */
  YamlSection without(Map<String, String> unsupported) throws InvalidWebConfig {
    for (var entry : values.entrySet()) {
      String instead = unsupported.get(entry.getKey());
      if (instead != null) {
        throw bad(entry.getKey(), "is not supported: " + instead);
      }
    }
    return this;
  }

  /** Refuses any key that is not one of these. */
  YamlSection withOnly(Set<String> known) throws InvalidWebConfig {
    for (var entry : values.entrySet()) {
      if (!known.contains(entry.getKey())) {
        throw invalid(entry.getValue(), under(path, entry.getKey()), "is not known");
      }
    }
    return this;
  }

  Set<String> keys() {
    return values.keySet();
  }

  /** A mapping within; empty if it is not given. */
  YamlSection section(String key) throws InvalidWebConfig {
    Node node = values.get(key);
    return node == null ? new YamlSection(under(path, key), Map.of()) : of(under(path, key), node);
  }

  /** A text that is not empty. */
  Optional<String> text(String key) throws InvalidWebConfig {
    Node node = values.get(key);
    if (node == null || isEmpty(node)) {
      return Optional.empty();
    }
    if (!(node instanceof ScalarNode scalar)) {
      throw invalid(node, under(path, key), "must be a text");
    }
    return Optional.of(scalar.getValue()).filter(value -> !value.isEmpty());
  }

  boolean truth(String key, boolean otherwise) throws InvalidWebConfig {
    Optional<String> value = text(key);
    if (value.isEmpty()) {
      return otherwise;
    }
    return switch (value.get()) {
      case "true", "True", "TRUE", "yes", "on" -> true;
      case "false", "False", "FALSE", "no", "off" -> false;
      default -> throw bad(key, "must be true or false, was " + value.get());
    };
  }

  /** An error in the value of a key, or in this section if it has no such key. */
  InvalidWebConfig bad(String key, String rule) {
    Node node = values.get(key);
    return node == null
        ? new InvalidWebConfig(under(path, key) + " " + rule)
        : invalid(node, under(path, key), rule);
  }

  /** Names the value of a key in messages. */
  String pathOf(String key) {
    return under(path, key);
  }

  private static boolean isEmpty(Node node) {
    return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL);
  }

  private static InvalidWebConfig invalid(Node node, String path, String rule) {
    int line = node.getStartMark().getLine() + 1;
    return new InvalidWebConfig(
        "line " + line + ": " + (path.isEmpty() ? "the file" : path) + " " + rule);
  }

  private static String under(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
