package io.gpureclaimer.reclaimer.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Features of a pod that indicate its purpose.
 *
 * @param labels those of its labels that indicate its purpose or team; others are not kept
 * @param interactive whether one of its containers has a terminal
 * @param scratch its volumes whose content dies with it, or stays on its node: {@code emptyDir},
 *     {@code hostPath}; by name
 * @param group the group that it says it is a member of, which lives and dies as one
 * @param endpoint what clients connect to, such as {@code port 8000 (http)}; empty if its
 *     containers with GPUs declare nothing of the kind
 */
public record PodTraits(
    Map<String, String> labels,
    boolean interactive,
    List<String> scratch,
    Optional<Group> group,
    Optional<String> endpoint) {

  /** The label of the set's name. */
  private static final String LEADER_WORKER_SET = "leaderworkerset.sigs.k8s.io/name";

  /** The label of the number of a replica of a LeaderWorkerSet. */
  public static final String REPLICA = "leaderworkerset.sigs.k8s.io/group-index";

  /** Nothing special. */
  public static final PodTraits NONE = new PodTraits(Map.of(), false, List.of(), Optional.empty());

  /** A pod without an endpoint. */
  public PodTraits(
      Map<String, String> labels,
      boolean interactive,
      List<String> scratch,
      Optional<Group> group) {
    this(labels, interactive, scratch, group, Optional.empty());
  }

  public PodTraits {
    labels = Map.copyOf(labels);
    scratch = List.copyOf(scratch);
  }

  /** The same with an endpoint. */
  public PodTraits withEndpoint(String value) {
    return new PodTraits(labels, interactive, scratch, group, Optional.of(value));
  }

  /**
   * The group with which the pod is scheduled: of a LeaderWorkerSet, its own replica, which is a
   * leader with its workers.
   */
  public Optional<Group> schedulingGroup() {
    return group.map(
        each ->
            each.key().equals(LEADER_WORKER_SET)
                ? Optional.ofNullable(labels.get(REPLICA))
                    .map(index -> new Group(REPLICA, each.name() + "-" + index))
                    .orElse(each)
                : each);
  }

  /**
   * A group of pods that are of use only together, as their labels or annotations name it.
   *
   * @param key the label or annotation that names it
   * @param name its name, unique in the namespace for this key
   */
  public record Group(String key, String name) {

    @Override
    public String toString() {
      return name + " (" + key + ")";
    }
  }
}
