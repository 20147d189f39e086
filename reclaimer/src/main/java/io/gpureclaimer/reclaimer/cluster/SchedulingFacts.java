package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Provisioning notices for pending pods, sizes of their groups, shares of namespaces, and devices
 * that claims can allocate.
 *
 * @param announcements of nodes for a pending pod
 * @param doubt why announcements cannot be read; empty while they can, or while they are not needed
 * @param groups those of pending pods
 * @param shares of namespaces that have any, one of each resource at most; empty while none is
 *     needed, or none can be read
 * @param neighbors what rules between pods need
 * @param claimable nodes that offer devices by claims alone; without those of which it is not known
 *     what they offer, or what claims have of it
 */
public record SchedulingFacts(
    Map<PodRef, List<ProvisioningNotice>> announcements,
    Optional<String> doubt,
    Map<GroupId, GroupSize> groups,
    Map<String, List<GpuShare>> shares,
    Neighbors neighbors,
    List<ClaimableNode> claimable) {

  /** No component says anything. */
  public static final SchedulingFacts NONE = new SchedulingFacts(Map.of(), Optional.empty());

  public SchedulingFacts {
    announcements = Map.copyOf(announcements);
    groups = Map.copyOf(groups);
    shares = Map.copyOf(shares);
    claimable = List.copyOf(claimable);
  }

  /** Without shares, other pods and claimable devices. */
  public SchedulingFacts(
      Map<PodRef, List<ProvisioningNotice>> announcements,
      Optional<String> doubt,
      Map<GroupId, GroupSize> groups) {
    this(announcements, doubt, groups, Map.of(), Neighbors.NONE, List.of());
  }

  /** Without groups. */
  public SchedulingFacts(
      Map<PodRef, List<ProvisioningNotice>> announcements, Optional<String> doubt) {
    this(announcements, doubt, Map.of());
  }

  /** The same with other groups. */
  public SchedulingFacts with(Map<GroupId, GroupSize> sizes) {
    return new SchedulingFacts(announcements, doubt, sizes, shares, neighbors, claimable);
  }

  /** The same with other shares. */
  public SchedulingFacts withShares(Map<String, List<GpuShare>> known) {
    return new SchedulingFacts(announcements, doubt, groups, known, neighbors, claimable);
  }

  /** The same with other pods. */
  public SchedulingFacts with(Neighbors others) {
    return new SchedulingFacts(announcements, doubt, groups, shares, others, claimable);
  }

  /** The same with other claimable devices. */
  public SchedulingFacts withClaimable(List<ClaimableNode> known) {
    return new SchedulingFacts(announcements, doubt, groups, shares, neighbors, known);
  }

  /** How large the group of a pending pod is; empty for a pod of no group. */
  public Optional<GroupSize> sizeOfGroup(PodView pod) {
    return GroupId.of(pod).map(groups::get);
  }

  /** What is announced for one pod. */
  public List<ProvisioningNotice> of(PodRef pod) {
    return announcements.getOrDefault(pod, List.of());
  }

  /**
   * A component reports that it provides a node for a pending pod, or that it cannot.
   *
   * @param component its name, for people
   * @param provides whether a node will come
   * @param first when it first said so
   * @param last when it said so again
   */
  public record ProvisioningNotice(
      String component, boolean provides, Instant first, Instant last) {
    /** The component of Events and of NodeClaims. */
    public static final String KARPENTER = "Karpenter";

    /** The component of Events. */
    public static final String CLUSTER_AUTOSCALER = "Cluster Autoscaler";
  }

  /** A group of pods that are scheduled together. */
  public record GroupId(String namespace, Group group) {

    /** The group of a pod; empty if it has none. */
    public static Optional<GroupId> of(PodView pod) {
      return pod.traits().schedulingGroup().map(group -> new GroupId(pod.ref().namespace(), group));
    }
  }

  /**
   * How large a group is.
   *
   * @param minimum how many of its pods have to run at least
   * @param members its pods that are not finished and not terminating
   * @param placed those that have a node
   * @param pendingWithoutGpus those that have none, and request no GPUs
   */
  public record GroupSize(Minimum minimum, int members, int placed, int pendingWithoutGpus) {

    /** The size of a group with these members. */
    public static GroupSize of(Minimum minimum, List<PodView> members) {
      int placed = (int) members.stream().filter(pod -> pod.node().isPresent()).count();
      int pending = (int) members.stream().filter(PodView::awaitsGpus).count();
      return new GroupSize(minimum, members.size(), placed, members.size() - placed - pending);
    }

    /** How many pods of a group have to run at least. */
    public sealed interface Minimum {

      /**
       * For so long no pod is to be evicted for the group; zero if its PodGroup does not say so.
       */
      default Duration delay() {
        return Duration.ZERO;
      }

      /** So many; with zero each pod is scheduled alone. */
      record Known(int pods, Duration delay) implements Minimum {
        public Known(int pods) {
          this(pods, Duration.ZERO);
        }
      }

      /** No component says so; all that are pending count. */
      record None() implements Minimum {}

      /** It cannot be read. */
      record Unread(String why) implements Minimum {}
    }
  }
}
