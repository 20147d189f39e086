package io.gpureclaimer.exporter.attribution.kubernetes;

import io.gpureclaimer.exporter.attribution.NamespacedPodName;
import io.gpureclaimer.exporter.attribution.NodePods.RunningPod;
import io.gpureclaimer.exporter.attribution.PodLabelRule;
import io.gpureclaimer.exporter.sample.ServedPodLabels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Kept properties of a pod, in addition to name, UID and whether it has ended.
 *
 * @param labels which of its labels; none if empty
 * @param containers whether the names and ids of its containers
 */
public record PodFieldSelection(Optional<PodLabelRule> labels, boolean containers) {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
  private static final String AFTER_RUNTIME = "://";

  /** Of the pod that a kubelet makes to show one that it runs of its own accord. */
  private static final String MIRROR = "kubernetes.io/config.mirror";

  /** The uid, and nothing else. */
  public static PodFieldSelection ofUid() {
    return new PodFieldSelection(Optional.empty(), false);
  }

  /** Kept properties of one pod. */
  record PodLifetime(NamespacedPodName pod, RunningPod entry, boolean ended) {}

  Optional<PodLifetime> of(NodePod pod) {
    var metadata = pod.getMetadata();
    String uid = metadata.getUid();
    if (uid == null || uid.isBlank()) {
      return Optional.empty();
    }
    var name = new NamespacedPodName(metadata.getNamespace(), metadata.getName());
    var ended = ENDED.contains(String.valueOf(pod.getStatus().getPhase()));
    var entry = new RunningPod(uid, labelsOf(pod), containersOf(pod), hashOf(pod));
    return Optional.of(new PodLifetime(name, entry, ended));
  }

  private static @Nullable String hashOf(NodePod pod) {
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(MIRROR);
  }

  private ServedPodLabels labelsOf(NodePod pod) {
    Map<String, String> all = pod.getMetadata().getLabels();
    return all == null
        ? ServedPodLabels.NONE
        : labels.map(rule -> rule.of(all)).orElse(ServedPodLabels.NONE);
  }

  private Map<String, String> containersOf(NodePod pod) {
    if (!containers) {
      return Map.of();
    }
    var status = pod.getStatus();
    var names = new HashMap<String, String>();
    for (var statuses :
        List.of(
            status.getContainerStatuses(),
            status.getInitContainerStatuses(),
            status.getEphemeralContainerStatuses())) {
      for (var container : statuses) {
        String id = container.getContainerID();
        int after = id.indexOf(AFTER_RUNTIME);
        if (after >= 0 && !container.getName().isBlank()) {
          names.put(id.substring(after + AFTER_RUNTIME.length()), container.getName());
        }
      }
    }
    return names;
  }
}
