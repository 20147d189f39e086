package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.cluster.simulated.AutoscalerSpec.NodePool;
import io.gpureclaimer.reclaimer.cluster.simulated.Scheduler.PodShape;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Adds nodes for pending pods and removes empty ones, as Cluster Autoscaler does with its expander
 * {@code least-waste}. It never moves pods. A group gets nodes only if all its pods can run, as
 * with an atomic ProvisioningRequest. Confined to the cluster's lock.
 */
final class NodeAutoscaler {

  private final ClusterState state;
  private final AutoscalerSpec spec;
  private final Map<String, NodePool> poolOf = new HashMap<>();
  private final List<UpcomingNode> upcoming = new ArrayList<>();
  private final Map<String, Instant> emptySince = new HashMap<>();
  private final Map<PodRef, List<ProvisioningNotice>> notices = new HashMap<>();
  private int added;

  /** The state for which it has decided, in which nothing changes by itself. */
  private long decidedVersion = -1;

  private record UpcomingNode(NodePool pool, SimulatedNode node, Instant readyAt) {}

  private record Reserved(SimulatedPod pod, SimulatedNode node, List<GpuUuid> devices) {}

  NodeAutoscaler(ClusterState state, AutoscalerSpec spec) {
    this.state = state;
    this.spec = spec;
    spec.pools().forEach(pool -> pool.members().forEach(name -> poolOf.put(name, pool)));
  }

  /** Nodes that are ready now, each once. */
  List<SimulatedNode> takeReady(Instant now) {
    List<UpcomingNode> ready =
        upcoming.stream().filter(node -> !node.readyAt().isAfter(now)).toList();
    upcoming.removeAll(ready);
    ready.forEach(each -> poolOf.put(each.node().view().name(), each.pool()));
    return ready.stream().map(UpcomingNode::node).toList();
  }

  /** When it has to be called again, even if nothing else happens. */
  Optional<Instant> next() {
    return Stream.concat(
            upcoming.stream().map(UpcomingNode::readyAt),
            emptySince.entrySet().stream()
                .filter(each -> isRemovable(each.getKey()))
                .map(each -> each.getValue().plus(spec.idle())))
        .min(Comparator.naturalOrder());
  }

  /** What it announced for pending pods. */
  Map<PodRef, List<ProvisioningNotice>> notices() {
    return notices;
  }

  /**
   * Decides about new nodes, and returns those to remove.
   *
   * @param isServed whether something else makes room for a pending pod
   */
  List<SimulatedNode> step(Instant now, Predicate<PodSpec> isServed) {
    if (decidedVersion != state.version()) {
      Set<SimulatedNode> needed = scaleUp(now, isServed);
      decidedVersion = state.version();
      for (SimulatedNode node : state.nodes().values()) {
        String name = node.view().name();
        if (poolOf.containsKey(name) && node.isEmpty() && !needed.contains(node)) {
          emptySince.putIfAbsent(name, now);
        } else {
          emptySince.remove(name);
        }
      }
    }
    return scaleDown(now);
  }

  private List<SimulatedNode> scaleDown(Instant now) {
    List<SimulatedNode> gone = new ArrayList<>();
    // The newest first, so that the nodes of the start are the last.
    for (SimulatedNode node : List.copyOf(state.nodes().descendingMap().values())) {
      String name = node.view().name();
      Instant since = emptySince.get(name);
      if (since != null && !since.plus(spec.idle()).isAfter(now) && isRemovable(name)) {
        gone.add(node);
        emptySince.remove(name);
        poolOf.remove(name);
      }
    }
    return gone;
  }

  private boolean isRemovable(String name) {
    NodePool pool = poolOf.get(name);
    return pool != null && size(pool) > pool.least();
  }

  private long size(NodePool pool) {
    return poolOf.values().stream().filter(pool::equals).count()
        + upcoming.stream().filter(each -> each.pool().equals(pool)).count();
  }

  /** The nodes that have room for pending pods, which are not removed. */
  private Set<SimulatedNode> scaleUp(Instant now, Predicate<PodSpec> isServed) {
    Set<PodRef> pending = new HashSet<>();
    List<Reserved> reserved = new ArrayList<>();
    Set<PodShape> hopeless = new HashSet<>();
    boolean isAnnounced = false;
    for (List<SimulatedPod> unit : units()) {
      if (unit.stream().allMatch(pod -> isServed.test(pod.spec()))) {
        continue;
      }
      unit.forEach(pod -> pending.add(pod.ref()));
      Optional<PodShape> alone =
          unit.size() == 1 ? Optional.of(PodShape.of(unit.getFirst())) : Optional.empty();
      int before = upcoming.size();
      List<Reserved> placed =
          alone.filter(hopeless::contains).isPresent() ? List.of() : place(unit, now);
      if (placed.size() < unit.size()) {
        alone.ifPresent(hopeless::add);
        release(placed);
        upcoming.subList(before, upcoming.size()).clear();
        isAnnounced |= announce(unit, false, now);
      } else {
        reserved.addAll(placed);
        if (placed.stream().anyMatch(this::isOnUpcoming)) {
          isAnnounced |= announce(unit, true, now);
        }
      }
    }
    release(reserved);
    isAnnounced |= notices.keySet().retainAll(pending);
    if (isAnnounced) {
      state.nextVersion();
    }
    Set<SimulatedNode> needed = new HashSet<>();
    reserved.forEach(each -> needed.add(each.node()));
    return needed;
  }

  private boolean isOnUpcoming(Reserved reserved) {
    return upcoming.stream().anyMatch(each -> each.node() == reserved.node());
  }

  private static void release(List<Reserved> reserved) {
    reserved.forEach(each -> each.node().release(each.pod().spec(), each.devices()));
  }

  /** Pending pods and groups in the order of their turns. */
  private List<List<SimulatedPod>> units() {
    List<List<SimulatedPod>> units = new ArrayList<>();
    state.pending().values().forEach(pods -> pods.forEach(pod -> units.add(List.of(pod))));
    state.pendingGroups().values().forEach(pods -> units.add(List.copyOf(pods)));
    units.sort(Comparator.comparing(List::getFirst, SimulatedPod.TURN));
    return units;
  }

  /** Reserves nodes for as many of the pods as possible, new ones if no other has room. */
  private List<Reserved> place(List<SimulatedPod> unit, Instant now) {
    List<Reserved> placed = new ArrayList<>();
    for (SimulatedPod pod : unit) {
      PodShape shape = PodShape.of(pod);
      Optional<SimulatedNode> node =
          Stream.<Collection<SimulatedNode>>of(
                  state.nodes().values(), upcoming.stream().map(UpcomingNode::node).toList())
              .flatMap(Collection::stream)
              .filter(shape::fits)
              .findFirst()
              .or(() -> open(shape, now));
      if (node.isEmpty()) {
        return placed;
      }
      placed.add(new Reserved(pod, node.get(), node.get().take(pod.spec())));
    }
    return placed;
  }

  /** A new node of the pool on which such pods leave the fewest GPUs unused. */
  private Optional<SimulatedNode> open(PodShape shape, Instant now) {
    return spec.pools().stream()
        .filter(pool -> size(pool) < pool.most())
        .filter(pool -> shape.fits(new SimulatedNode(pool.template())))
        .min(
            Comparator.comparingInt((NodePool pool) -> unused(pool, shape))
                .thenComparingInt(pool -> pool.template().gpus().size())
                .thenComparing(pool -> pool.template().name()))
        .map(
            pool -> {
              var node = new SimulatedNode(numbered(pool.template(), ++added));
              upcoming.add(new UpcomingNode(pool, node, now.plus(spec.startup())));
              return node;
            });
  }

  private static int unused(NodePool pool, PodShape shape) {
    return pool.template().gpus().size() % Math.max(1, shape.gpus());
  }

  private static NodeSpec numbered(NodeSpec template, int number) {
    String name = template.name() + "-" + number;
    return new NodeSpec(
        name,
        IntStream.range(0, template.gpus().size())
            .mapToObj(gpu -> new GpuUuid("GPU-" + name + "-" + gpu))
            .toList(),
        template.labels(),
        template.taints(),
        template.compute());
  }

  /** Says of each pod whether a node comes, unless that was the last it said; whether it did. */
  private boolean announce(List<SimulatedPod> unit, boolean provides, Instant now) {
    boolean isNew = false;
    for (SimulatedPod pod : unit) {
      List<ProvisioningNotice> known = notices.getOrDefault(pod.ref(), List.of());
      if (known.isEmpty() || known.getLast().provides() != provides) {
        Instant first =
            known.stream()
                .filter(each -> each.provides() == provides)
                .map(ProvisioningNotice::first)
                .findFirst()
                .orElse(now);
        List<ProvisioningNotice> said =
            new ArrayList<>(known.stream().filter(each -> each.provides() != provides).toList());
        said.add(
            new ProvisioningNotice(ProvisioningNotice.CLUSTER_AUTOSCALER, provides, first, now));
        notices.put(pod.ref(), List.copyOf(said));
        isNew = true;
      }
    }
    return isNew;
  }
}
