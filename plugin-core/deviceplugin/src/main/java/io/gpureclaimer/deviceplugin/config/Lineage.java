package io.gpureclaimer.deviceplugin.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The mappings that one takes its values from, by YAML's key {@code <<}. Confined to one walk. */
final class Lineage {
  private final Consumer<Node> misfit;
  private final List<MappingNode> found = new ArrayList<>();
  private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private Lineage(Consumer<Node> misfit) {
    this.misfit = misfit;
  }

  /**
   * Itself first, then those whose values count where none before has them.
   *
   * @param misfit takes what stands after {@code <<} and is no mapping
   */
  static List<MappingNode> of(MappingNode map, Consumer<Node> misfit) {
    var lineage = new Lineage(misfit);
    lineage.walk(map);
    return List.copyOf(lineage.found);
  }

  /** Whether it says where values come from, and is none itself. */
  static boolean isLink(NodeTuple entry) {
    return entry.getKeyNode().getTag().equals(Tag.MERGE);
  }

  /** An alias may lead back to where it stands. */
  private void walk(MappingNode map) {
    if (seen.add(map)) {
      found.add(map);
      map.getValue().stream()
          .filter(Lineage::isLink)
          .map(NodeTuple::getValueNode)
          .forEach(this::follow);
    }
  }

  private void follow(Node source) {
    switch (source) {
      case MappingNode map -> walk(map);
      case SequenceNode list
          when list.getValue().stream().allMatch(MappingNode.class::isInstance) ->
          list.getValue().forEach(this::follow);
      default -> misfit.accept(source);
    }
  }
}
