package io.gpureclaimer.reclaimer.workload;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pods that are judged together: those below one top owner, those of one group, or one pod that
 * has neither.
 *
 * @param owner the highest owner of all its pods, as far as owners could be read
 * @param group what its pods say that they are members of
 * @param owners all that could be read of the owners between its pods and the top, by UID
 * @param unread an owner of one of its pods that could not be read; absent when the top of each was
 *     reached
 * @param pods by name and UID, never empty
 * @param remaining the replicas of the same owner that are not judged, because they work and stay;
 *     empty for a whole workload
 */
public record Workload(
    String namespace,
    Optional<Owner> owner,
    Optional<Group> group,
    Map<String, OwnerView> owners,
    Optional<Owner> unread,
    List<PodView> pods,
    List<PodView> remaining) {
  public Workload {
    owners = Map.copyOf(owners);
    pods = List.copyOf(pods);
    remaining = List.copyOf(remaining);
    if (pods.isEmpty()) {
      throw new IllegalArgumentException("a workload has at least one pod");
    }
    if (owner.isEmpty() && group.isEmpty() && pods.size() > 1) {
      throw new IllegalArgumentException(
          "without an owner and a group it is one pod, was " + pods.size());
    }
  }

  /** Pods of one top owner, or one pod without an owner. */
  public Workload(String namespace, Optional<Owner> owner, List<PodView> pods) {
    this(namespace, owner, Optional.empty(), Map.of(), Optional.empty(), pods);
  }

  /** A whole workload. */
  public Workload(
      String namespace,
      Optional<Owner> owner,
      Optional<Group> group,
      Map<String, OwnerView> owners,
      Optional<Owner> unread,
      List<PodView> pods) {
    this(namespace, owner, group, owners, unread, pods, List.of());
  }

  /** These of its pods alone; the others remain. */
  public Workload only(List<PodView> some) {
    Set<PodRef> chosen = some.stream().map(PodView::ref).collect(Collectors.toUnmodifiableSet());
    return new Workload(
        namespace,
        owner,
        group,
        owners,
        unread,
        some,
        pods.stream().filter(pod -> !chosen.contains(pod.ref())).toList());
  }

  /** Whether these are only some replicas of its owner. */
  public boolean isPartial() {
    return !remaining.isEmpty();
  }

  /** Its pods and those that remain. */
  public List<PodView> allPods() {
    return remaining.isEmpty() ? pods : Stream.concat(pods.stream(), remaining.stream()).toList();
  }

  /** {@code 2 of 5 replicas}; empty for a whole workload. */
  public Optional<String> share() {
    return isPartial()
        ? Optional.of(pods.size() + " of " + (pods.size() + remaining.size()) + " replicas")
        : Optional.empty();
  }

  /** Whether it is a pod by itself, without an owner and a group. */
  public boolean isSinglePod() {
    return owner.isEmpty() && group.isEmpty();
  }

  /** The pod that carries the Events of the workload. */
  public PodView firstPod() {
    return pods.getFirst();
  }

  /** The highest priority of its pods. */
  public int priority() {
    int highest = firstPod().priority();
    for (PodView pod : pods) {
      highest = Math.max(highest, pod.priority());
    }
    return highest;
  }

  /** How many devices of an extended resource its pods occupy on a node. */
  public int heldOn(String node, String resource) {
    int count = 0;
    for (PodView pod : pods) {
      if (pod.holdsGpus() && pod.node().filter(node::equals).isPresent()) {
        count += pod.accelerators().count(resource);
      }
    }
    return count;
  }

  /** What its pods with devices request on a node in addition, by resource, in thousandths. */
  public Map<String, Long> requestedOn(String node) {
    Map<String, Long> amounts = new HashMap<>();
    for (PodView pod : pods) {
      if (pod.holdsGpus() && pod.node().filter(node::equals).isPresent()) {
        pod.requests().forEach((name, amount) -> amounts.merge(name, amount, Long::sum));
      }
    }
    return amounts;
  }

  /** How many GPUs and MIG slices its pods occupy, those of resource claims included. */
  public int devicesHeld() {
    return pods.stream()
        .filter(PodView::holdsGpus)
        .mapToInt(pod -> pod.accelerators().devices())
        .sum();
  }

  /** {@code Pod}, {@code Group} or the owner's kind. */
  public String kind() {
    return owner.isPresent() ? owner.get().kind() : group.isPresent() ? "Group" : "Pod";
  }

  /** The pod's, the group's or the owner's name. */
  public String name() {
    if (owner.isPresent()) {
      return owner.get().name();
    }
    return group.isPresent() ? group.get().name() : firstPod().ref().name();
  }

  /** The pod's or the owner's UID; a group has none, and gets its namespace, key and name. */
  public String uid() {
    if (owner.isPresent()) {
      return owner.get().uid();
    }
    return group.isPresent() ? idOf(group.get()) : firstPod().ref().uid();
  }

  /** The owners of one of its pods, nearest first, as far as they could be read. */
  public List<OwnerView> ownersOf(PodView pod) {
    return OwnerChain.of(pod, owners).owners();
  }

  /** Its owner with all that could be read of it; empty if it has none or could not be read. */
  public Optional<OwnerView> topOwner() {
    return owner.flatMap(top -> Optional.ofNullable(owners.get(top.uid())));
  }

  /**
   * The only extended resource of which its pods occupy devices, see {@code Accelerators.kinds}.
   * Empty if they occupy devices of several, or of claims.
   */
  public Optional<String> resource() {
    Set<String> resources = new HashSet<>();
    for (PodView pod : pods) {
      if (pod.holdsGpus()) {
        resources.addAll(pod.accelerators().kinds());
      }
    }
    return resources.size() == 1 && claimedHeld() == 0
        ? Optional.of(resources.iterator().next())
        : Optional.empty();
  }

  /** How many whole GPUs its pods occupy. */
  public int gpusHeld() {
    return pods.stream().filter(PodView::holdsGpus).mapToInt(PodView::gpus).sum();
  }

  /** How many MIG slices its pods requested by their profile, and occupy. */
  public int slicesHeld() {
    return devicesHeld() - gpusHeld() - replicasHeld() - claimedHeld();
  }

  /** How many replicas of shared devices its pods occupy. */
  public int replicasHeld() {
    return pods.stream()
        .filter(PodView::holdsGpus)
        .flatMap(pod -> pod.accelerators().replicas().values().stream())
        .mapToInt(count -> count)
        .sum();
  }

  /** How many GPUs and MIG slices its pods hold by resource claims. */
  public int claimedHeld() {
    return pods.stream()
        .filter(PodView::holdsGpus)
        .mapToInt(pod -> pod.accelerators().claimedDevices())
        .sum();
  }

  /** What its pods occupy, in words: {@code GPU}, {@code 2 GPUs}, {@code GPU and 3 MIG slices}. */
  public String holdings() {
    return held(
        gpus -> count(gpus, "GPU"),
        slices -> count(slices, "MIG slice"),
        replicas -> count(replicas, "GPU replica"),
        claimed -> count(claimed, "claimed device"),
        " and ");
  }

  /**
   * The same for a column of a table: {@code 2}, {@code 3 MIG}, {@code 1 + 3 MIG}; {@code 0 of 2}
   * where it holds nothing and waits for two.
   */
  public String devicesText() {
    int awaited = devicesAwaited();
    return held(
            Integer::toString,
            slices -> slices + " MIG",
            replicas -> replicas + " shared",
            claimed -> claimed + " claimed",
            " + ")
        + (awaited > 0 && pods.stream().noneMatch(PodView::holdsGpus) ? " of " + awaited : "");
  }

  private int devicesAwaited() {
    return pods.stream()
        .filter(PodView::awaitsGpus)
        .mapToInt(pod -> pod.accelerators().devices())
        .sum();
  }

  /** What there is none of is left out, but for GPUs where there is nothing at all. */
  private String held(
      IntFunction<String> gpus,
      IntFunction<String> slices,
      IntFunction<String> replicas,
      IntFunction<String> claimed,
      String between) {
    boolean onlyGpus = slicesHeld() + replicasHeld() + claimedHeld() == 0;
    return Stream.of(
            part(gpusHeld(), gpus, onlyGpus),
            part(slicesHeld(), slices, false),
            part(replicasHeld(), replicas, false),
            part(claimedHeld(), claimed, false))
        .flatMap(Optional::stream)
        .collect(Collectors.joining(between));
  }

  private static Optional<String> part(int count, IntFunction<String> words, boolean always) {
    return count > 0 || always ? Optional.of(words.apply(count)) : Optional.empty();
  }

  private static String count(int count, String noun) {
    return count == 1 ? noun : count + " " + noun + "s";
  }

  private String idOf(Group each) {
    return namespace + "/" + each.key() + "/" + each.name();
  }

  @Override
  public String toString() {
    return kind() + " " + namespace + "/" + name();
  }

  /**
   * A workload in messages and records.
   *
   * @param kind {@code Pod}, {@code Group} or its owner's
   * @param gpus how many whole GPUs it occupies
   */
  public record WorkloadSummary(String namespace, String kind, String name, String uid, int gpus) {

    /** This workload. */
    public static WorkloadSummary of(Workload workload) {
      return new WorkloadSummary(
          workload.namespace(),
          workload.kind(),
          workload.name(),
          workload.uid(),
          workload.gpusHeld());
    }

    @Override
    public String toString() {
      return kind + " " + namespace + "/" + name;
    }
  }
}
