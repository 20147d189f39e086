package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupId;
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

/**
 * Binds pending pods to nodes with free GPUs, or says why it cannot. It never preempts. Of a group
 * with a PodGroup, it binds as many pods as have to run together, or none.
 */
final class Scheduler {
  private final ClusterState state;

  /** Why pods find no node, by their placement, as long as the nodes stay the same. */
  private final Map<Placement, String> shortages = new HashMap<>();

  /** The reasons that pending pods were given last, where nodes are scored. */
  private final Map<PodShape, Set<String>> answers = new HashMap<>();

  /** The same for groups. */
  private final Map<GroupId, Set<String>> groupAnswers = new HashMap<>();

  private final NodeScores scores = new NodeScores();

  /** Whether CPU and memory of all nodes are known. */
  private boolean isScored;

  Scheduler(ClusterState state) {
    this.state = state;
  }

  /** Nodes were added, cordoned or let in again. */
  void nodesChanged() {
    shortages.clear();
    groupAnswers.clear();
    isScored = state.nodes().values().stream().allMatch(node -> node.compute().isPresent());
    state.nodesChanged();
  }

  void step(Instant now) {
    if (!state.takeRoomChanged()) {
      return;
    }
    List<SimulatedNode> nodes = List.copyOf(state.nodes().values());
    state.nominated().forEach(pod -> bindNominated(pod, now));
    var turns =
        new PriorityQueue<NodeSearch>(Comparator.comparing(NodeSearch::next, SimulatedPod.TURN));
    state.pending().forEach((shape, pods) -> turns.add(new PodSearch(pods, finder(shape, nodes))));
    Map<PodShape, Shortfall> hopeless = new HashMap<>();
    state
        .pendingGroups()
        .forEach((group, pods) -> turns.add(new GroupSearch(group, pods, nodes, hopeless)));
    // Of a shape that no node has room for, no pod is bound in this step.
    for (NodeSearch search = turns.poll(); search != null; search = turns.poll()) {
      if (search.bindNext(now) && !search.isDone()) {
        turns.add(search);
      }
    }
    if (isScored) {
      state.pending().forEach((shape, pods) -> putOff(shape, pods, now));
    }
    groupAnswers.keySet().retainAll(state.pendingGroups().keySet());
    state.takeUnanswered().stream()
        .filter(pod -> !isScored || state.podGroup(pod).isEmpty())
        .forEach(pod -> putOff(pod, shortage(PodShape.of(pod)), now));
  }

  private Supplier<Optional<SimulatedNode>> finder(PodShape shape, List<SimulatedNode> nodes) {
    return isScored ? () -> scores.choose(shape, nodes) : new FirstFit(shape, nodes)::find;
  }

  /**
   * A nominated pod comes before others of its priority, on its node alone. If it finds no room
   * there, it is a pod like any other, and no longer nominated. No node is kept for members of a
   * group.
   */
  private void bindNominated(SimulatedPod pod, Instant now) {
    PodShape shape = PodShape.of(pod);
    pod.waiting()
        .flatMap(Waiting::ownNominatedNode)
        .map(state.nodes()::get)
        .filter(_ -> state.podGroup(pod).isEmpty())
        .filter(node -> shape.fits(node) && !isForHigherPriority(node, pod.spec().priority()))
        .ifPresentOrElse(
            node -> bind(pod, node, node.take(pod.spec()), now),
            () -> state.nominate(pod, Optional.empty()));
  }

  private boolean isForHigherPriority(SimulatedNode node, int priority) {
    return state.pending().entrySet().stream()
        .anyMatch(
            each ->
                each.getValue().first().spec().priority() > priority && each.getKey().fits(node));
  }

  private void bind(SimulatedPod pod, SimulatedNode node, List<GpuUuid> devices, Instant now) {
    state.notPending(pod);
    pod.bind(node, devices, now, state.nextVersion());
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

  /** A search of nodes for pending pods, in the order of their turns. */
  private abstract static class NodeSearch {
    /** Those that are bound disappear. */
    final NavigableSet<SimulatedPod> pods;

    NodeSearch(NavigableSet<SimulatedPod> pods) {
      this.pods = pods;
    }

    SimulatedPod next() {
      return pods.first();
    }

    boolean isDone() {
      return pods.isEmpty();
    }

    /** Binds the next pods that have to run together; whether that was possible. */
    abstract boolean bindNext(Instant now);
  }

  /** For pods of one shape, each by itself. */
  private final class PodSearch extends NodeSearch {
    private final Supplier<Optional<SimulatedNode>> finder;

    PodSearch(NavigableSet<SimulatedPod> pods, Supplier<Optional<SimulatedNode>> finder) {
      super(pods);
      this.finder = finder;
    }

    @Override
    boolean bindNext(Instant now) {
      Optional<SimulatedNode> node = finder.get();
      node.ifPresent(found -> bind(next(), found, found.take(next().spec()), now));
      return node.isPresent();
    }
  }

  /** For the pods of one group. */
  private final class GroupSearch extends NodeSearch {
    private final GroupId group;
    private final List<SimulatedNode> nodes;

    /** Of a shape, the smallest number of pods that found no room together in this step. */
    private final Map<PodShape, Shortfall> hopeless;

    GroupSearch(
        GroupId group,
        NavigableSet<SimulatedPod> pods,
        List<SimulatedNode> nodes,
        Map<PodShape, Shortfall> hopeless) {
      super(pods);
      this.group = group;
      this.nodes = nodes;
      this.hopeless = hopeless;
    }

    private record Reserved(SimulatedPod pod, SimulatedNode node, List<GpuUuid> devices) {}

    @Override
    boolean bindNext(Instant now) {
      long placed = state.membersOf(group).stream().filter(SimulatedPod::healthy).count();
      long missing = Math.max(1, state.minimumOf(group) - placed);
      Map<PodShape, Long> wanted =
          pods.stream().collect(Collectors.groupingBy(PodShape::of, Collectors.counting()));
      Optional<PodShape> only =
          wanted.size() == 1 && missing == pods.size()
              ? wanted.keySet().stream().findFirst()
              : Optional.empty();
      Optional<Shortfall> known =
          only.map(hopeless::get).filter(shortfall -> shortfall.pods() <= missing);
      if (known.isPresent()) {
        answer(known.get().reasons(), now);
        return false;
      }
      List<Reserved> reserved = reserve(wanted.keySet());
      if (reserved.size() >= missing) {
        reserved.forEach(each -> bind(each.pod(), each.node(), each.devices(), now));
        return true;
      }
      Map<String, Integer> reasons = isScored ? reasonsOfRest(reserved) : Map.of();
      answer(reasons, now);
      reserved.forEach(each -> each.node().release(each.pod().spec(), each.devices()));
      only.ifPresent(shape -> hopeless.put(shape, new Shortfall(missing, reasons)));
      return false;
    }

    /** Nodes for as many of the pods as find one. */
    private List<Reserved> reserve(Set<PodShape> shapes) {
      Map<PodShape, Supplier<Optional<SimulatedNode>>> finders = new HashMap<>();
      shapes.forEach(shape -> finders.put(shape, finder(shape, nodes)));
      List<Reserved> reserved = new ArrayList<>();
      for (SimulatedPod pod : pods) {
        Optional.ofNullable(finders.get(PodShape.of(pod)))
            .flatMap(Supplier::get)
            .ifPresent(node -> reserved.add(new Reserved(pod, node, node.take(pod.spec()))));
      }
      return reserved;
    }

    /** What the first pod without a node lacks on all of them. */
    private Map<String, Integer> reasonsOfRest(List<Reserved> reserved) {
      Set<SimulatedPod> placed = reserved.stream().map(Reserved::pod).collect(Collectors.toSet());
      return pods.stream()
          .filter(pod -> !placed.contains(pod))
          .findFirst()
          .map(pod -> reasons(PodShape.of(pod)))
          .orElse(Map.of());
    }

    /** While nodes are scored, each step may have another answer. */
    private void answer(Map<String, Integer> reasons, Instant now) {
      if (!isScored) {
        return;
      }
      boolean isNew = !reasons.keySet().equals(groupAnswers.put(group, reasons.keySet()));
      pods.stream()
          .filter(pod -> isNew || pod.waiting().isEmpty())
          .forEach(pod -> putOff(pod, words(reasons), now));
    }
  }

  /** So many pods did not find room together, for these reasons. */
  private record Shortfall(long pods, Map<String, Integer> reasons) {}

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
