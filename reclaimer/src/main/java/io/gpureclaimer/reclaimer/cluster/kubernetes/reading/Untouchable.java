package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
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
    return Optional.empty();
  }
}
