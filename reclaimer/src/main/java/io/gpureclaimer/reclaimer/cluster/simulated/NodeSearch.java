package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds nodes for pods of one shape, the first by name that fits. It passes every node once in its
 * life: within one step of the scheduler room only shrinks, so a node that did not fit will not.
 */
final class NodeSearch {
  private final Shape shape;
  private final Collection<SimulatedNode> nodes;
  private final Iterator<SimulatedNode> rest;
  private @Nullable SimulatedNode candidate;
  private @Nullable String shortage;

  /** What two pods must have in common to fit the same nodes. */
  record Shape(int gpus, Placement placement) {
    boolean fits(SimulatedNode node) {
      return node.free() >= gpus && node.view().suits(placement);
    }
  }

  NodeSearch(Shape shape, Collection<SimulatedNode> nodes) {
    this.shape = shape;
    this.nodes = nodes;
    this.rest = nodes.iterator();
  }

  Optional<SimulatedNode> find() {
    SimulatedNode found = candidate;
    while (found == null || !shape.fits(found)) {
      if (!rest.hasNext()) {
        candidate = null;
        return Optional.empty();
      }
      found = rest.next();
    }
    candidate = found;
    return Optional.of(found);
  }

  /** Why no node was found, in the scheduler's words. */
  String shortage() {
    if (shortage == null) {
      shortage = describe();
    }
    return shortage;
  }

  private String describe() {
    Map<String, Long> reasons =
        nodes.stream()
            .map(node -> reason(node.view()))
            .collect(Collectors.groupingBy(r -> r, TreeMap::new, Collectors.counting()));
    String counted =
        reasons.entrySet().stream()
            .map(reason -> reason.getValue() + " " + reason.getKey())
            .collect(Collectors.joining(", "));
    return "0/" + nodes.size() + " nodes are available: " + counted + ".";
  }

  private String reason(NodeView node) {
    if (!node.accepting()) {
      return "node(s) were unschedulable";
    }
    if (node.suits(shape.placement())) {
      return "Insufficient " + ResourceNames.GPU;
    }
    return node.carries(shape.placement().nodeSelector())
        ? "node(s) had untolerated taint(s)"
        : "node(s) didn't match Pod's node affinity/selector";
  }
}
