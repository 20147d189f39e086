package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Binds pending pods to nodes with free GPUs, or says why it cannot. It never preempts. */
final class Scheduler {
  private final ClusterState state;

  /** Why pods find no node, by their placement, as long as the nodes stay the same. */
  private final Map<Placement, String> shortages = new HashMap<>();

  Scheduler(ClusterState state) {
    this.state = state;
  }

  /** Nodes were added, cordoned or let in again. */
  void nodesChanged() {
    shortages.clear();
    state.nodesChanged();
  }

  void step(Instant now) {
    if (!state.takeRoomChanged()) {
      return;
    }
    var turns =
        new PriorityQueue<NodeSearch>(Comparator.comparing(NodeSearch::next, SimulatedPod.TURN));
    state
        .pending()
        .forEach((shape, pods) -> turns.add(new NodeSearch(shape, pods, state.nodes().values())));
    // Of a shape that no node has room for, no pod is bound in this step.
    for (NodeSearch search = turns.poll(); search != null; search = turns.poll()) {
      Optional<SimulatedNode> node = search.find();
      if (node.isPresent()) {
        bind(search.next(), node.get(), now);
        if (!search.pods.isEmpty()) {
          turns.add(search);
        }
      }
    }
    state.takeUnanswered().forEach(pod -> putOff(pod, now));
  }

  private void bind(SimulatedPod pod, SimulatedNode node, Instant now) {
    state.notPending(pod);
    pod.bind(node, node.take(pod.spec().gpus()), now, state.nextVersion());
    state.listener().onBound(pod.ref(), pod.spec(), pod.devices());
  }

  private void putOff(SimulatedPod pod, Instant now) {
    String shortage = shortages.computeIfAbsent(pod.spec().placement(), this::shortage);
    Optional<Waiting> before = pod.waiting();
    if (before.isEmpty() || !before.get().message().equals(shortage)) {
      Instant since = before.map(Waiting::since).orElse(now);
      pod.waitFor(new Waiting(since, shortage), state.nextVersion());
    }
  }

  /** Why no node was found, in the scheduler's words. */
  private String shortage(Placement placement) {
    Map<String, Integer> reasons = new TreeMap<>();
    for (SimulatedNode node : state.nodes().values()) {
      reasons.merge(reason(node.view(), placement), 1, Integer::sum);
    }
    String counted =
        reasons.entrySet().stream()
            .map(reason -> reason.getValue() + " " + reason.getKey())
            .collect(Collectors.joining(", "));
    return "0/" + state.nodes().size() + " nodes are available: " + counted + ".";
  }

  private static String reason(NodeView node, Placement placement) {
    if (!node.accepting()) {
      return "node(s) were unschedulable";
    }
    if (node.suits(placement)) {
      return "Insufficient " + ResourceNames.GPU;
    }
    return node.carries(placement.nodeSelector())
        ? "node(s) had untolerated taint(s)"
        : "node(s) didn't match Pod's node affinity/selector";
  }

  /** What two pods must have in common to fit the same nodes. */
  record PodShape(int gpus, Placement placement) {
    static PodShape of(SimulatedPod pod) {
      return new PodShape(pod.spec().gpus(), pod.spec().placement());
    }

    boolean fits(SimulatedNode node) {
      return node.free() >= gpus && node.view().suits(placement);
    }
  }

  /**
   * Finds nodes for pods of one shape, the first by name that fits. It passes every node once in
   * its life: within one step of the scheduler room only shrinks, so a node that did not fit will
   * not.
   */
  static final class NodeSearch {
    private final PodShape shape;
    private final NavigableSet<SimulatedPod> pods;
    private final Iterator<SimulatedNode> rest;
    private @Nullable SimulatedNode candidate;

    /**
     * @param pods that are pending, in the order of their turns; those that are bound disappear
     */
    NodeSearch(PodShape shape, NavigableSet<SimulatedPod> pods, Collection<SimulatedNode> nodes) {
      this.shape = shape;
      this.pods = pods;
      this.rest = nodes.iterator();
    }

    SimulatedPod next() {
      return pods.first();
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
  }
}
