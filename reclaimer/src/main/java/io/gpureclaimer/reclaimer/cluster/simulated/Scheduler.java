package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Binds pending pods to nodes with free GPUs, or says why it cannot. It never preempts. */
final class Scheduler {
  private final ClusterState state;

  Scheduler(ClusterState state) {
    this.state = state;
  }

  void step(Instant now) {
    if (!state.takeRoomChanged()) {
      return;
    }
    Map<NodeSearch.PodShape, NodeSearch> searches = new HashMap<>();
    for (SimulatedPod pod : List.copyOf(state.pending())) {
      NodeSearch search =
          searches.computeIfAbsent(
              new NodeSearch.PodShape(pod.spec().gpus(), pod.spec().placement()),
              shape -> new NodeSearch(shape, state.nodes().values()));
      search.find().ifPresentOrElse(node -> bind(pod, node, now), () -> putOff(pod, search, now));
    }
  }

  private void bind(SimulatedPod pod, SimulatedNode node, Instant now) {
    state.pending().remove(pod);
    pod.bind(node, node.take(pod.spec().gpus()), now, state.nextVersion());
    state.listener().onBound(pod.ref(), pod.spec(), pod.devices());
  }

  private void putOff(SimulatedPod pod, NodeSearch search, Instant now) {
    Instant since = pod.waiting().map(Waiting::since).orElse(now);
    Waiting waiting = new Waiting(since, search.shortage());
    if (!pod.waiting().filter(waiting::equals).isPresent()) {
      pod.waitFor(waiting, state.nextVersion());
    }
  }

  /**
   * Finds nodes for pods of one shape, the first by name that fits. It passes every node once in
   * its life: within one step of the scheduler room only shrinks, so a node that did not fit will
   * not.
   */
  static final class NodeSearch {
    private final PodShape shape;
    private final Collection<SimulatedNode> nodes;
    private final Iterator<SimulatedNode> rest;
    private @Nullable SimulatedNode candidate;
    private @Nullable String shortage;

    /** What two pods must have in common to fit the same nodes. */
    record PodShape(int gpus, Placement placement) {
      boolean fits(SimulatedNode node) {
        return node.free() >= gpus && node.view().suits(placement);
      }
    }

    NodeSearch(PodShape shape, Collection<SimulatedNode> nodes) {
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
      Map<String, Integer> reasons = new TreeMap<>();
      for (SimulatedNode node : nodes) {
        reasons.merge(reason(node.view()), 1, Integer::sum);
      }
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
}
