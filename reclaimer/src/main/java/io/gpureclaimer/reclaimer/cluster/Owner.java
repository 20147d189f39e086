package io.gpureclaimer.reclaimer.cluster;

/**
 * The controller that would recreate a pod, or the controller of such a controller.
 *
 * @param apiVersion the group and version of its kind, for example {@code apps/v1}: kinds of
 *     different groups share names
 * @param kind for example {@code ReplicaSet}
 * @param name its name, in the pod's namespace
 */
public record Owner(String apiVersion, String kind, String name, String uid) {
  @Override
  public String toString() {
    return kind + "/" + name;
  }
}
