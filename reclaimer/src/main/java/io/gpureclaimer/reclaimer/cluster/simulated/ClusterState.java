package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupId;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.Scheduler.PodShape;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * All objects of the simulated cluster and the versions of their changes. Confined to the cluster's
 * lock.
 */
final class ClusterState {
  private static final long UID_SPACE = 0x5157_0000_0000_4000L;
  private static final long UID_VARIANT = 0x8000_0000_0000_0000L;

  private final PodListener listener;
  private final NavigableMap<String, SimulatedNode> nodes = new TreeMap<>();
  private final Map<String, NamespaceView> namespaces = new LinkedHashMap<>();
  private final Map<String, SimulatedPod> pods = new LinkedHashMap<>();
  private final Map<NamespacedOwner, Set<SimulatedPod>> podsByOwner = new HashMap<>();
  private final OwnerObjects ownerObjects = new OwnerObjects();
  private final Map<PodShape, NavigableSet<SimulatedPod>> pending = new LinkedHashMap<>();

  /** How many pods of a group run together at least, of those that have a PodGroup. */
  private final Map<GroupId, Integer> minimums = new HashMap<>();

  /** All pods of these groups. */
  private final Map<GroupId, Set<SimulatedPod>> members = new HashMap<>();

  /** The pending ones of these, in the order of their turns. */
  private final Map<GroupId, NavigableSet<SimulatedPod>> pendingGroups = new LinkedHashMap<>();

  /** Pending pods that the scheduler has not answered yet. */
  private final Set<SimulatedPod> unanswered = new LinkedHashSet<>();

  /** Pending pods for which the scheduler keeps a node, in the order of their turns. */
  private final NavigableSet<SimulatedPod> nominated = new TreeSet<>(SimulatedPod.TURN);

  private final PriorityQueue<SimulatedPod> terminating =
      new PriorityQueue<>(Comparator.comparing(pod -> pod.deletedAt().orElse(Instant.MAX)));
  private long version;
  private long serial;
  private boolean roomChanged;

  /** An owner by its description. */
  record NamespacedOwner(String namespace, OwnerSpec owner) {}

  ClusterState(PodListener listener) {
    this.listener = listener;
  }

  PodListener listener() {
    return listener;
  }

  /** The version of the last change. */
  long version() {
    return version;
  }

  long nextVersion() {
    return ++version;
  }

  NavigableMap<String, SimulatedNode> nodes() {
    return nodes;
  }

  Map<String, NamespaceView> namespaces() {
    return namespaces;
  }

  OwnerObjects ownerObjects() {
    return ownerObjects;
  }

  Collection<SimulatedPod> pods() {
    return pods.values();
  }

  /** The pods below an owner, oldest first. */
  List<SimulatedPod> podsOf(NamespacedOwner owner) {
    return List.copyOf(podsByOwner.getOrDefault(owner, Set.of()));
  }

  /**
   * Bound to no node and not terminating, by what they need, in the order of their turns; without
   * those of {@link #pendingGroups}.
   */
  Map<PodShape, NavigableSet<SimulatedPod>> pending() {
    return pending;
  }

  /** The same of pods that have a PodGroup, by their group. */
  Map<GroupId, NavigableSet<SimulatedPod>> pendingGroups() {
    return pendingGroups;
  }

  /** From now on, pods of this group are scheduled only if so many of them run. */
  void addPodGroup(GroupId group, int minimum) {
    minimums.put(group, minimum);
  }

  /** How many pods of the group run together at least. */
  int minimumOf(GroupId group) {
    return minimums.getOrDefault(group, 0);
  }

  /** All pods of a group that has a PodGroup. */
  Set<SimulatedPod> membersOf(GroupId group) {
    return members.getOrDefault(group, Set.of());
  }

  /** The group of a pod, if that has a PodGroup. */
  Optional<GroupId> podGroup(SimulatedPod pod) {
    return minimums.isEmpty()
        ? Optional.empty()
        : GroupId.of(pod.view()).filter(minimums::containsKey);
  }

  /** A pod is no longer pending. */
  void notPending(SimulatedPod pod) {
    podGroup(pod)
        .ifPresentOrElse(
            group -> removeFrom(pendingGroups, group, pod),
            () -> removeFrom(pending, PodShape.of(pod), pod));
    unanswered.remove(pod);
    nominated.remove(pod);
  }

  /** Pending pods for which the scheduler keeps a node, in the order of their turns. */
  List<SimulatedPod> nominated() {
    return List.copyOf(nominated);
  }

  /** Lets the scheduler keep a node for a pending pod; empty for none. */
  void nominate(SimulatedPod pod, Optional<String> nodeName) {
    pod.nominate(nodeName, nextVersion());
    if (nodeName.isPresent() && !pod.bound()) {
      nominated.add(pod);
    } else {
      nominated.remove(pod);
    }
  }

  private static <K, C extends Collection<SimulatedPod>> void removeFrom(
      Map<K, C> pods, K key, SimulatedPod pod) {
    C alike = pods.get(key);
    if (alike != null && alike.remove(pod) && alike.isEmpty()) {
      pods.remove(key);
    }
  }

  /** The pending pods that the scheduler has not answered since this was asked last. */
  List<SimulatedPod> takeUnanswered() {
    List<SimulatedPod> pods = List.copyOf(unanswered);
    unanswered.clear();
    return pods;
  }

  /** Nodes were added, cordoned or let in again: the scheduler has other answers. */
  void nodesChanged() {
    pending.values().forEach(unanswered::addAll);
    pendingGroups.values().forEach(unanswered::addAll);
    nextVersion();
    roomChanged();
  }

  Optional<SimulatedPod> pod(String namespace, String name) {
    return Optional.ofNullable(pods.get(namespace + "/" + name));
  }

  /** The pod of that name, if it still is the same one. */
  Optional<SimulatedPod> pod(PodRef ref) {
    return pod(ref.namespace(), ref.name()).filter(found -> found.ref().equals(ref));
  }

  /** Notes that the scheduler may find what it did not find before. */
  void roomChanged() {
    roomChanged = true;
  }

  /** Whether that was noted since this was asked last. */
  boolean takeRoomChanged() {
    boolean was = roomChanged;
    roomChanged = false;
    return was;
  }

  SimulatedPod create(PodSpec spec) {
    if (!namespaces.containsKey(spec.namespace())) {
      throw new IllegalArgumentException("namespace " + spec.namespace() + " does not exist");
    }
    if (pod(spec.namespace(), spec.name()).isPresent()) {
      throw new IllegalArgumentException(
          "pod " + spec.namespace() + "/" + spec.name() + " already exists");
    }
    serial++;
    PodRef ref = new PodRef(spec.namespace(), spec.name(), uid(serial));
    SimulatedPod pod = new SimulatedPod(spec, ref, ownerObjects.of(spec), serial, nextVersion());
    pods.put(spec.namespace() + "/" + spec.name(), pod);
    OwnerControllers.chain(spec)
        .forEach(
            owner ->
                podsByOwner
                    .computeIfAbsent(
                        new NamespacedOwner(spec.namespace(), owner), _ -> new LinkedHashSet<>())
                    .add(pod));
    podGroup(pod)
        .ifPresentOrElse(
            group -> {
              members.computeIfAbsent(group, _ -> new LinkedHashSet<>()).add(pod);
              pendingGroups.computeIfAbsent(group, _ -> new TreeSet<>(SimulatedPod.TURN)).add(pod);
            },
            () ->
                pending
                    .computeIfAbsent(PodShape.of(pod), _ -> new TreeSet<>(SimulatedPod.TURN))
                    .add(pod));
    unanswered.add(pod);
    roomChanged();
    listener.onCreated(ref, spec);
    return pod;
  }

  /** A pod on a node gets its grace period; one that no node knows goes at once. */
  void terminate(SimulatedPod pod, Instant now) {
    if (pod.terminating()) {
      return;
    }
    if (!pod.bound()) {
      notPending(pod);
      remove(pod);
      return;
    }
    pod.terminate(now.plus(pod.spec().grace()), nextVersion());
    terminating.add(pod);
    listener.onTerminating(pod.ref(), pod.spec());
  }

  /** The next pod whose grace period is over, removed from its node. */
  Optional<SimulatedPod> bury(Instant now) {
    SimulatedPod first = terminating.peek();
    if (first == null || first.deletedAt().filter(gone -> gone.isAfter(now)).isPresent()) {
      return Optional.empty();
    }
    terminating.remove();
    remove(first);
    return Optional.of(first);
  }

  private void remove(SimulatedPod pod) {
    pods.remove(pod.ref().namespace() + "/" + pod.ref().name());
    OwnerControllers.chain(pod.spec())
        .forEach(
            owner ->
                removeFrom(podsByOwner, new NamespacedOwner(pod.spec().namespace(), owner), pod));
    podGroup(pod).ifPresent(group -> removeFrom(members, group, pod));
    pod.node().ifPresent(node -> node.release(pod.spec(), pod.devices()));
    roomChanged();
    nextVersion();
    listener.onGone(pod.ref(), pod.spec());
  }

  private static String uid(long number) {
    return new UUID(UID_SPACE, UID_VARIANT | number).toString();
  }
}
