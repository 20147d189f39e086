package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Binds pending pods to nodes with free GPUs, or says why it cannot. It never preempts. */
final class Scheduler {
  private final ClusterState state;

  /** Why pods find no node, by their placement, as long as the nodes stay the same. */
  private final Map<Placement, String> shortages = new HashMap<>();

  /** The reasons that pending pods were given last, where nodes are scored. */
  private final Map<PodShape, Set<String>> answers = new HashMap<>();

  private final NodeScores scores = new NodeScores();

  /** Whether CPU and memory of all nodes are known. */
  private boolean isScored;

  Scheduler(ClusterState state) {
    this.state = state;
  }

  /** Nodes were added, cordoned or let in again. */
  void nodesChanged() {
    shortages.clear();
    isScored = state.nodes().values().stream().allMatch(node -> node.compute().isPresent());
    state.nodesChanged();
  }

  void step(Instant now) {
    if (!state.takeRoomChanged()) {
      return;
    }
    List<SimulatedNode> nodes = List.copyOf(state.nodes().values());
    var turns =
        new PriorityQueue<NodeSearch>(Comparator.comparing(NodeSearch::next, SimulatedPod.TURN));
    state.pending().forEach((shape, pods) -> turns.add(new NodeSearch(pods, finder(shape, nodes))));
    // Of a shape that no node has room for, no pod is bound in this step.
    for (NodeSearch search = turns.poll(); search != null; search = turns.poll()) {
      Optional<SimulatedNode> node = search.finder().get();
      if (node.isPresent()) {
        bind(search.next(), node.get(), now);
        if (!search.pods().isEmpty()) {
          turns.add(search);
        }
      }
    }
    if (isScored) {
      state.pending().forEach((shape, pods) -> putOff(shape, pods, now));
    }
    state.takeUnanswered().forEach(pod -> putOff(pod, shortage(PodShape.of(pod)), now));
  }

  private Supplier<Optional<SimulatedNode>> finder(PodShape shape, List<SimulatedNode> nodes) {
    return isScored ? () -> scores.choose(shape, nodes) : new FirstFit(shape, nodes)::find;
  }

  private void bind(SimulatedPod pod, SimulatedNode node, Instant now) {
    state.notPending(pod);
    pod.bind(node, node.take(pod.spec()), now, state.nextVersion());
    state.listener().onBound(pod.ref(), pod.spec(), pod.devices());
  }

  /** Answers pods again whose shortage is another one than before, other numbers aside. */
  private void putOff(PodShape shape, Collection<SimulatedPod> pods, Instant now) {
    Map<String, Integer> reasons = reasons(shape);
    if (!reasons.keySet().equals(answers.put(shape, reasons.keySet()))) {
      String shortage = words(reasons);
      pods.forEach(pod -> putOff(pod, shortage, now));
    }
  }

  private void putOff(SimulatedPod pod, String shortage, Instant now) {
    Optional<Waiting> before = pod.waiting();
    if (before.isEmpty() || !before.get().message().equals(shortage)) {
      Instant since = before.map(Waiting::since).orElse(now);
      pod.waitFor(new Waiting(since, shortage), state.nextVersion());
    }
  }

  /** Why no node was found, in the scheduler's words. */
  private String shortage(PodShape shape) {
    return isScored
        ? words(reasons(shape))
        : shortages.computeIfAbsent(shape.placement(), _ -> words(reasons(shape)));
  }

  private Map<String, Integer> reasons(PodShape shape) {
    Map<String, Integer> reasons = new TreeMap<>();
    for (SimulatedNode node : state.nodes().values()) {
      reasons(node, shape).forEach(reason -> reasons.merge(reason, 1, Integer::sum));
    }
    return reasons;
  }

  private String words(Map<String, Integer> reasons) {
    String counted =
        reasons.entrySet().stream()
            .map(reason -> reason.getValue() + " " + reason.getKey())
            .collect(Collectors.joining(", "));
    return "0/" + state.nodes().size() + " nodes are available: " + counted + ".";
  }

  private List<String> reasons(SimulatedNode node, PodShape shape) {
    NodeView view = node.view();
    if (!view.accepting()) {
      return List.of("node(s) were unschedulable");
    }
    if (!view.suits(shape.placement())) {
      return List.of(
          view.carries(shape.placement().nodeSelector())
              ? "node(s) had untolerated taint(s)"
              : "node(s) didn't match Pod's node affinity/selector");
    }
    List<String> scarce = new ArrayList<>();
    if (!isScored || node.free() < shape.gpus()) {
      scarce.add("Insufficient " + ResourceNames.GPU);
    }
    if (!node.hasCpu(shape.requests())) {
      scarce.add("Insufficient cpu");
    }
    if (!node.hasMemory(shape.requests())) {
      scarce.add("Insufficient memory");
    }
    return scarce;
  }

  /** What two pods must have in common to fit the same nodes. */
  record PodShape(int gpus, ComputeResources requests, Placement placement) {
    static PodShape of(SimulatedPod pod) {
      return new PodShape(pod.spec().gpus(), pod.spec().requests(), pod.spec().placement());
    }

    boolean fits(SimulatedNode node) {
      return node.free() >= gpus
          && node.hasCpu(requests)
          && node.hasMemory(requests)
          && node.view().suits(placement);
    }
  }

  /**
   * A search of nodes for pods of one shape.
   *
   * @param pods that are pending, in the order of their turns; those that are bound disappear
   * @param finder of the node for the next of them
   */
  private record NodeSearch(
      NavigableSet<SimulatedPod> pods, Supplier<Optional<SimulatedNode>> finder) {
    SimulatedPod next() {
      return pods.first();
    }
  }

  /**
   * Finds the first node by name that fits. It passes every node once in its life: within one step
   * of the scheduler room only shrinks, so a node that did not fit will not.
   */
  private static final class FirstFit {
    private final PodShape shape;
    private final Iterator<SimulatedNode> rest;
    private @Nullable SimulatedNode candidate;

    FirstFit(PodShape shape, List<SimulatedNode> nodes) {
      this.shape = shape;
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
  }
}
