package io.gpureclaimer.reclaimer.cluster;

/**
 * One pod and no other: a pod recreated under the same name has another UID.
 *
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param uid the pod's UID
 */
public record PodRef(String namespace, String name, String uid) {
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
