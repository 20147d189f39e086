package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize.Minimum;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads how many pods of a group have to run at least. */
public final class GroupParser {

  /** Where pods themselves say so, by the label or annotation that names their group. */
  private static final Map<String, String> WRITTEN_ON_PODS =
      Map.of(
          PodTraits.REPLICA,
          "leaderworkerset.sigs.k8s.io/size",
          "gang.scheduling.koordinator.sh/name",
          "gang.scheduling.koordinator.sh/min-available");

  /** What names the groups of which the minimum can be known. */
  private static final Set<String> COUNTED =
      Set.of(
          "scheduling.x-k8s.io/pod-group",
          "scheduling.k8s.io/group-name",
          "scheduling.volcano.sh/group-name",
          "pod-group-name");

  private GroupParser() {}

  /** Whether a pod counts for its group even if it requests no GPUs. */
  static boolean isCounted(Pod pod) {
    return pod.getSpec().getSchedulingGroup() != null
        || Stream.of(pod.getMetadata().getLabels(), pod.getMetadata().getAnnotations())
            .filter(Objects::nonNull)
            .flatMap(written -> written.keySet().stream())
            .anyMatch(key -> COUNTED.contains(key) || WRITTEN_ON_PODS.containsKey(key));
  }

  /**
   * The minimum of a PodGroup of Kubernetes, of the coscheduling plugin, of Volcano or of KAI. The
   * last three take an absent {@code minMember} for zero, which is no gang; Kubernetes names the
   * policy, and one that is not known here may be a gang. Only KAI has a delay, which it takes from
   * annotations of the pods and their owner.
   */
  public static Minimum minimum(GenericKubernetesResource group) {
    JsonNode spec = ObjectParser.tree(group).at("/spec");
    JsonNode policy = spec.at("/schedulingPolicy");
    if (group.getApiVersion().startsWith("scheduling.k8s.io/")) {
      JsonNode count = policy.at("/gang/minCount");
      return count.isIntegralNumber() || policy.has("basic")
          ? new Minimum.Known(count.asInt())
          : new Minimum.Unread("its PodGroup has a scheduling policy that is not known: " + policy);
    }
    int members = spec.at("/minMember").asInt();
    return new Minimum.Known(
        members > 0
            ? members
            : StreamSupport.stream(spec.at("/subGroups").spliterator(), false)
                .mapToInt(sub -> sub.path("minMember").asInt())
                .sum(),
        Durations.parseGo(spec.at("/preemptionDelay").asText()).orElse(Duration.ZERO));
  }

  /**
   * The minimum that the pods of a group say themselves.
   *
   * <p>A leader of a LeaderWorkerSet alone is no incomplete group: with the startup policy {@code
   * LeaderReady} its workers are created once it is ready.
   */
  public static Minimum minimum(Group group, List<PodView> members) {
    Optional<String> key = Optional.ofNullable(WRITTEN_ON_PODS.get(group.key()));
    boolean isLoneLeader = members.size() == 1 && group.key().equals(PodTraits.REPLICA);
    return isLoneLeader
        ? new Minimum.Known(1)
        : key.flatMap(
                written ->
                    members.stream()
                        .flatMap(
                            pod -> Optional.ofNullable(pod.annotations().get(written)).stream())
                        .findFirst())
            .filter(text -> text.matches("[0-9]{1,9}"))
            .<Minimum>map(text -> new Minimum.Known(Integer.parseInt(text)))
            .orElseGet(Minimum.None::new);
  }
}
