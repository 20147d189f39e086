package io.gpureclaimer.reclaimer.cluster;

/**
 * One object of the API server.
 *
 * @param apiVersion group and version, for example {@code apps/v1}
 * @param namespace empty for a cluster-scoped object
 * @param uid distinguishes it from a later object of the same name
 */
public record ObjectRef(String apiVersion, String kind, String namespace, String name, String uid) {

  /** A pod. */
  public static ObjectRef of(PodRef pod) {
    return new ObjectRef("v1", "Pod", pod.namespace(), pod.name(), pod.uid());
  }

  /** The group of its kind; empty for the core group. */
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  @Override
  public String toString() {
    return kind + " " + namespace + "/" + name;
  }
}
