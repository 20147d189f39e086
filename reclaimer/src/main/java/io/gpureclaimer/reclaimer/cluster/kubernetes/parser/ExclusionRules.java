package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The reasons for which no policy may touch a pod. No annotation lifts them. */
final class ExclusionRules {
  private static final int SYSTEM_CRITICAL = 2_000_000_000;
  private static final Set<String> CRITICAL_CLASSES =
      Set.of("system-node-critical", "system-cluster-critical");

  /** Kubernetes and OpenShift keep these for themselves; no user can create such a namespace. */
  private static final Set<String> SYSTEM_PREFIXES = Set.of("kube-", "openshift-");

  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final String SOURCE = "kubernetes.io/config.source";

  private final Set<String> namespaces;

  /**
   * @param namespaces whose pods the cluster itself needs: ours, and those of the monitoring
   */
  ExclusionRules(Set<String> namespaces) {
    this.namespaces = Set.copyOf(namespaces);
  }

  /** Why the pod is off limits, in a few words; empty if it is not. */
  Optional<String> reason(Pod pod) {
    return Stream.of(kind(pod), namespace(pod), priority(pod))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> kind(Pod pod) {
    Map<String, String> annotations = MetadataParser.asEmpty(pod.getMetadata().getAnnotations());
    Optional<OwnerReference> owner = MetadataParser.ownerReference(pod.getMetadata());
    if (annotations.containsKey(MIRROR)
        || !annotations.getOrDefault(SOURCE, "api").equals("api")
        || owner.filter(each -> "Node".equals(each.getKind())).isPresent()) {
      return Optional.of("static pod");
    }
    return owner
        .filter(each -> "DaemonSet".equals(each.getKind()))
        .map(each -> "owned by DaemonSet/" + each.getName());
  }

  private Optional<String> namespace(Pod pod) {
    String namespace = pod.getMetadata().getNamespace();
    if (SYSTEM_PREFIXES.stream().anyMatch(namespace::startsWith)) {
      return Optional.of("in the system namespace " + namespace);
    }
    return namespaces.contains(namespace)
        ? Optional.of("in the namespace " + namespace + ", which is never touched")
        : Optional.empty();
  }

  private static Optional<String> priority(Pod pod) {
    String priorityClass = pod.getSpec().getPriorityClassName();
    Integer priority = pod.getSpec().getPriority();
    if (priorityClass != null && CRITICAL_CLASSES.contains(priorityClass)) {
      return Optional.of("of priority class " + priorityClass);
    }
    return priority != null && priority >= SYSTEM_CRITICAL
        ? Optional.of("of system-critical priority " + priority)
        : Optional.empty();
  }
}
