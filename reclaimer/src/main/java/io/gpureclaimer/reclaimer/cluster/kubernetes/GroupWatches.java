package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static java.util.stream.Collectors.groupingBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupId;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize.Minimum;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KindWatches.KindWatch;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.GroupParser;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Watches of PodGroups, from which the scheduler takes how many pods of a group have to run at
 * least. Safe for use by several threads.
 *
 * <p>A kind is watched from the first pending pod on that names such a group.
 */
final class GroupWatches implements AutoCloseable {

  /** The kinds to which a label or annotation of pods refers, the newest version first. */
  private static final Map<String, List<ObjectKind>> KINDS =
      Map.of(
          "spec.schedulingGroup.podGroupName",
          List.of(
              podGroup("scheduling.k8s.io/v1beta1"),
              podGroup("scheduling.k8s.io/v1alpha3"),
              podGroup("scheduling.k8s.io/v1alpha2")),
          "scheduling.x-k8s.io/pod-group",
          List.of(podGroup("scheduling.x-k8s.io/v1alpha1")),
          "scheduling.k8s.io/group-name",
          List.of(podGroup("scheduling.volcano.sh/v1beta1")),
          "scheduling.volcano.sh/group-name",
          List.of(podGroup("scheduling.volcano.sh/v1beta1")),
          "pod-group-name",
          List.of(podGroup("scheduling.run.ai/v2alpha2")));

  private final KindWatches<Minimum> watches;

  GroupWatches(
      KubernetesClient client, Discovery discovery, Duration staleAfter, MonotonicClock monotonic) {
    watches =
        KindWatches.ofOptional(
            "no workload is reclaimed for pending pods of such groups",
            client,
            discovery,
            GroupParser::minimum,
            staleAfter,
            monotonic);
  }

  private static ObjectKind podGroup(String apiVersion) {
    return new ObjectKind(apiVersion, "PodGroup");
  }

  /**
   * How large the groups of pending GPU pods are.
   *
   * @param pods all members of groups, with GPUs or without
   */
  Map<GroupId, GroupSize> of(List<PodView> pods) {
    Set<GroupId> pending = new HashSet<>();
    pods.stream()
        .filter(PodView::awaitsGpus)
        .forEach(pod -> GroupId.of(pod).ifPresent(pending::add));
    if (pending.isEmpty()) {
      return Map.of();
    }
    Map<GroupId, List<PodView>> members =
        pods.stream()
            .filter(pod -> !pod.terminating())
            .filter(pod -> GroupId.of(pod).filter(pending::contains).isPresent())
            .collect(groupingBy(pod -> GroupId.of(pod).orElseThrow()));
    Map<GroupId, GroupSize> sizes = new HashMap<>();
    members.forEach((id, all) -> sizes.put(id, GroupSize.of(minimum(id, all), all)));
    return sizes;
  }

  private Minimum minimum(GroupId id, List<PodView> members) {
    Group group = id.group();
    return Optional.ofNullable(KINDS.get(group.key()))
        .map(kinds -> written(id, kinds))
        .orElseGet(() -> GroupParser.minimum(group, members));
  }

  private Minimum written(GroupId id, List<ObjectKind> kinds) {
    for (ObjectKind kind : kinds) {
      KindWatch<Minimum> watch = watches.asked(kind);
      if (watch.doubt().isPresent()) {
        return new Minimum.Unread("its PodGroup cannot be read: " + watch.doubt().get());
      }
      if (!(watch instanceof KindWatch.Absent<Minimum>)) {
        return watch
            .lastKnown(id.namespace(), id.group().name())
            .orElseGet(() -> new Minimum.Unread("its PodGroup does not exist"));
      }
    }
    return new Minimum.None();
  }

  /** Whether there is nothing to wait for. */
  boolean areSettled() {
    return watches.areSettled();
  }

  @Override
  public void close() {
    watches.close();
  }
}
