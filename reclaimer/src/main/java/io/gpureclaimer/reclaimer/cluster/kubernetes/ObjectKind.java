package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.gpureclaimer.reclaimer.cluster.Owner;

/**
 * A kind of objects.
 *
 * @param apiVersion its group and version, for example {@code apps/v1}
 * @param name for example {@code Deployment}
 */
record ObjectKind(String apiVersion, String name) {
  /** Pods may own pods; those with GPUs are watched anyway. */
  static final ObjectKind POD = new ObjectKind("v1", "Pod");

  /** Nodes own static pods, which are never touched whatever is above them. */
  static final ObjectKind NODE = new ObjectKind("v1", "Node");

  static ObjectKind of(Owner owner) {
    return new ObjectKind(owner.apiVersion(), owner.kind());
  }

  /** Where the API server lists the kinds of this group and version. */
  String discoveryPath() {
    return (isCore() ? "/api/" : "/apis/") + apiVersion;
  }

  String group() {
    return isCore() ? "" : apiVersion.substring(0, apiVersion.indexOf('/'));
  }

  String version() {
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }

  /** Its kind and group as kubectl writes them: {@code Deployment.apps}, {@code Pod}. */
  String qualified() {
    return isCore() ? name : name + "." + group();
  }

  private boolean isCore() {
    return apiVersion.indexOf('/') < 0;
  }

  @Override
  public String toString() {
    return name + "." + apiVersion;
  }
}
