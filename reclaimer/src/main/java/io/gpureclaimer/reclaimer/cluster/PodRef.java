package io.gpureclaimer.reclaimer.cluster;

/** One pod and no other: a pod recreated under the same name has another UID. */
public record PodRef(String namespace, String name, String uid) {
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
