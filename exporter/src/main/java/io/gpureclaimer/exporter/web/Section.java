package io.gpureclaimer.exporter.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A mapping of a YAML file, whose values are asked for by key. What is wrong is told with its line.
 */
final class Section {
  private final String path;
  private final Map<String, Node> values;

  private Section(String path, Map<String, Node> values) {
    this.path = path;
    this.values = values;
  }

  /** The whole file; an empty one is an empty mapping. */
  static Section whole(Optional<Node> root) throws Refusal {
    return root.isPresent() ? of("", root.get()) : new Section("", Map.of());
  }

  private static Section of(String path, Node node) throws Refusal {
    if (isEmpty(node)) {
      return new Section(path, Map.of());
    }
    if (!(node instanceof MappingNode mapping)) {
      throw refusal(node, path, "must be a mapping");
    }
    var values = new LinkedHashMap<String, Node>();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw refusal(entry.getKeyNode(), path, "must have texts as keys");
      }
      if (values.put(key.getValue(), entry.getValueNode()) != null) {
        throw refusal(key, under(path, key.getValue()), "must be given once");
      }
    }
    return new Section(path, values);
  }

  /** Refuses any key that is not one of these. */
  Section withOnly(Set<String> known) throws Refusal {
    for (var entry : values.entrySet()) {
      if (!known.contains(entry.getKey())) {
        throw refusal(entry.getValue(), under(path, entry.getKey()), "is not known");
      }
    }
    return this;
  }

  Set<String> keys() {
    return values.keySet();
  }

  /** A mapping within; empty if it is not given. */
  Section section(String key) throws Refusal {
    Node node = values.get(key);
    return node == null ? new Section(under(path, key), Map.of()) : of(under(path, key), node);
  }

  /** A text that is not empty. */
  Optional<String> text(String key) throws Refusal {
    Node node = values.get(key);
    if (node == null || isEmpty(node)) {
      return Optional.empty();
    }
    if (!(node instanceof ScalarNode scalar)) {
      throw refusal(node, under(path, key), "must be a text");
    }
    return Optional.of(scalar.getValue()).filter(value -> !value.isEmpty());
  }

  boolean truth(String key, boolean otherwise) throws Refusal {
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

  List<String> texts(String key) throws Refusal {
    Node node = values.get(key);
    if (node == null || isEmpty(node)) {
      return List.of();
    }
    if (!(node instanceof SequenceNode sequence)) {
      throw refusal(node, under(path, key), "must be a list");
    }
    var texts = new ArrayList<String>();
    for (Node element : sequence.getValue()) {
      if (!(element instanceof ScalarNode scalar)) {
        throw refusal(element, under(path, key), "must be a list of texts");
      }
      texts.add(scalar.getValue());
    }
    return texts;
  }

  /** What is wrong with the value of a key, or with this section if it has no such key. */
  Refusal bad(String key, String rule) {
    Node node = values.get(key);
    return node == null
        ? new Refusal(under(path, key) + " " + rule)
        : refusal(node, under(path, key), rule);
  }

  /** What the messages call the value of a key. */
  String named(String key) {
    return under(path, key);
  }

  private static boolean isEmpty(Node node) {
    return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL);
  }

  private static Refusal refusal(Node node, String path, String rule) {
    int line = node.getStartMark().getLine() + 1;
    return new Refusal("line " + line + ": " + (path.isEmpty() ? "the file" : path) + " " + rule);
  }

  private static String under(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
