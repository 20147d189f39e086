package io.gpureclaimer.reclaimer.cluster;

/**
 * The controller that would recreate a pod.
 *
 * @param kind for example {@code ReplicaSet}
 * @param name its name, in the pod's namespace
 * @param uid its UID
 */
public record Owner(String kind, String name, String uid) {
  @Override
  public String toString() {
    return kind + "/" + name;
  }
}
