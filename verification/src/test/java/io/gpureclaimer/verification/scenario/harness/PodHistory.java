package io.gpureclaimer.verification.scenario.harness;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.gpureclaimer.common.vocabulary.Annotations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/**
 * Every version of every pod of a namespace from the moment on in which this was made. Safe for any
 * thread.
 */
public final class PodHistory {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Pod> versions = new CopyOnWriteArrayList<>();

  /** Watches until the client is closed. */
  public PodHistory(KubernetesClient client, String namespace) {
    client
        .pods()
        .inNamespace(namespace)
        .inform(
            new ResourceEventHandler<>() {
              @Override
              public void onAdd(Pod pod) {
                versions.add(pod);
              }

              @Override
              public void onUpdate(Pod before, Pod pod) {
                versions.add(pod);
              }

              @Override
              public void onDelete(Pod pod, boolean unknown) {
                versions.add(pod);
              }
            });
  }

  /** The versions so far of all pods that had this name, the oldest first. */
  public List<Pod> of(String pod) {
    return versions.stream()
        .filter(version -> version.getMetadata().getName().equals(pod))
        .toList();
  }

  /** Waits until a version of the pod is like this, and answers the first such version. */
  public Pod await(String pod, String what, Predicate<Pod> condition) {
    return Awaitility.await(pod + " " + what)
        .atMost(PATIENCE)
        .until(() -> of(pod).stream().filter(condition).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  /** Waits until it is warned, and answers what it then is. */
  public Pod awaitWarned(String pod) {
    return await(pod, "is warned", PodHistory::isWarned);
  }

  /** Waits until it is evicted, and answers the first version that is to end. */
  public Pod awaitEvicted(String pod) {
    return await(pod, "is evicted", PodHistory::isEvicted);
  }

  /** Whether the warning's annotations are on it. */
  public static boolean isWarned(Pod pod) {
    return pod.getMetadata().getAnnotations().containsKey(Annotations.WARNED_AT);
  }

  /** Whether it was evicted and is about to end. */
  public static boolean isEvicted(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    "DisruptionTarget".equals(condition.getType())
                        && "EvictionByEvictionAPI".equals(condition.getReason()));
  }
}
