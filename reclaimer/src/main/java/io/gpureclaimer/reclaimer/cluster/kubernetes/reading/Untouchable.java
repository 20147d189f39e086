package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The reasons for which no policy may touch a pod. No annotation lifts them. */
final class Untouchable {
  private static final int SYSTEM_CRITICAL = 2_000_000_000;
  private static final Set<String> CRITICAL_CLASSES =
      Set.of("system-node-critical", "system-cluster-critical");
  private static final Set<String> SYSTEM_NAMESPACES =
      Set.of("kube-system", "kube-public", "kube-node-lease");
  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final String SOURCE = "kubernetes.io/config.source";

  /** What groups pods of which none is idle alone; a group is not judged yet. */
  private static final List<String> GANGS =
      List.of(
          "kueue.x-k8s.io/pod-group-name",
          "scheduling.k8s.io/group-name",
          "scheduling.x-k8s.io/pod-group",
          "pod-group.scheduling.sigs.k8s.io/name",
          "pod-group.scheduling.sigs.k8s.io",
          "pod-group-name",
          "leaderworkerset.sigs.k8s.io/name",
          "jobset.sigs.k8s.io/jobset-name",
          "ray.io/cluster",
          "training.kubeflow.org/job-name");

  private Untouchable() {}

  /** Why the pod is off limits, in a few words; empty if it is not. */
  static Optional<String> reason(Pod pod) {
    Map<String, String> annotations = Absent.asEmpty(pod.getMetadata().getAnnotations());
    Optional<OwnerReference> owner = Owners.controller(pod);
    String namespace = pod.getMetadata().getNamespace();
    String priorityClass = pod.getSpec().getPriorityClassName();
    Integer priority = pod.getSpec().getPriority();
    if (annotations.containsKey(MIRROR)
        || !annotations.getOrDefault(SOURCE, "api").equals("api")
        || owner.filter(o -> "Node".equals(o.getKind())).isPresent()) {
      return Optional.of("static pod");
    }
    if (owner.filter(o -> "DaemonSet".equals(o.getKind())).isPresent()) {
      return owner.map(o -> "owned by DaemonSet/" + o.getName());
    }
    if (SYSTEM_NAMESPACES.contains(namespace)) {
      return Optional.of("in the system namespace " + namespace);
    }
    if (priorityClass != null && CRITICAL_CLASSES.contains(priorityClass)) {
      return Optional.of("of priority class " + priorityClass);
    }
    if (priority != null && priority >= SYSTEM_CRITICAL) {
      return Optional.of("of system-critical priority " + priority);
    }
    return gang(pod, annotations);
  }

  private static Optional<String> gang(Pod pod, Map<String, String> annotations) {
    Map<String, String> labels = Absent.asEmpty(pod.getMetadata().getLabels());
    return GANGS.stream()
        .filter(key -> labels.containsKey(key) || annotations.containsKey(key))
        .findFirst()
        .map(key -> "one of a group (" + key + "), and groups are not judged yet");
  }
}
