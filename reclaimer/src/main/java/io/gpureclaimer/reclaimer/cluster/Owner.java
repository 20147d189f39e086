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
  /** The group of its kind; empty for the core group. */
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  /** Its kind and group as kubectl writes them: {@code Deployment.apps}, {@code Pod}. */
  public String qualifiedKind() {
    return group().isEmpty() ? kind : kind + "." + group();
  }

  @Override
  public String toString() {
    return kind + "/" + name;
  }
}
